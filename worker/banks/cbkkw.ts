import { addDays } from '../../core/domain/dates.js';
import { type Feed, FeedError, mismatch, type Reading, ratesFrom, type Window } from '../feeds/feed.js';
import type { HttpAnswer } from '../feeds/http/client.js';
import { formatDate, parseDate } from '../feeds/toolbox/dates.js';
import { hiddenFields, htmlPage, tableCells } from '../feeds/toolbox/html.js';
import { numberOf } from '../feeds/toolbox/numbers.js';

const SITE = 'https://www.cbk.gov.kw/en/monetary-policy/market-operations/exchange-rates';
/** The rates are in fils. */
const FILS = 1000;
/** The sucre still has rates, although it ended in 2000. */
const LEFT_OUT = ['ECS'];

/**
 * Central Bank of Kuwait: fils for one unit of each currency, one form request per currency. Small rates have few digits;
 * the provider's entry defines which are blended.
 */
export const feed: Feed = {
  key: 'CBKKW',
  currencyByCurrency: true,
  blank: 'a zero stands for a currency that is not priced',
  empty: 'a table without rows, as for a weekend or a currency that ended',

  async *read(window, { http, navigation }) {
    const page = await navigation.get(`${SITE}/usd`);
    const form = htmlPage(page);
    const { formId } = hiddenFields(form, ['formId'], page);
    // If a code is listed twice, the later ID counts.
    const ids = new Map(
      form('option')
        .toArray()
        .flatMap((option) => {
          const [value, code] = /^([A-Z]{3}):\d+$/.exec(option.attribs.value ?? '') ?? [];
          return value !== undefined && code !== undefined ? [[code, value] as const] : [];
        }),
    );
    if (ids.size === 0) throw new FeedError(`${page.url}: its form has no currency: blocked or redesigned`);
    const named = new Map<string, string>();
    for (const [code, selCurrency] of ids) {
      if (LEFT_OUT.includes(code)) continue;
      const response = await http.post(`${SITE}/get-exchange-rates`, {
        form: {
          formId,
          selCurrency,
          // The server excludes the first day.
          txtDateFrom: formatDate(addDays(window.from, -1), 'DD/MM/YYYY'),
          txtDateTo: formatDate(window.to, 'DD/MM/YYYY'),
        },
      });
      yield readingOf(response, window, code, named);
    }
  },
};

/** `named` maps the headings of this run to their currencies. */
function readingOf(response: HttpAnswer, window: Window, code: string, named: Map<string, string>): Reading {
  const page = htmlPage(response);
  if (page('#currencyJSON').length === 0)
    throw new FeedError(`${response.url}: no currencyJSON in the answer: blocked, moved or redesigned`);
  const [[first, heading = ''] = [], ...rows] = tableCells(page, 'table', response);
  if (first !== 'Date' || !heading.startsWith('KWD / '))
    throw new FeedError(
      `${response.url}: the columns are ${first} and ${heading}, not Date and KWD / ${code}`,
    );
  // The heading has the currency's code or name. No two currencies have the same heading.
  const printed = /^KWD \/ ([A-Z]{3})$/.exec(heading)?.[1] ?? named.get(heading) ?? code;
  if (printed !== code) return mismatch(response, `it is of ${printed}, not ${code}`);
  named.set(heading, code);
  return ratesFrom(response, window, rows, (row) => {
    if (row.length !== 2) throw new FeedError(`a row of ${row.length} cells`);
    return {
      date: parseDate(row[0], 'DD.MM.YYYY'),
      base: code,
      quote: 'KWD',
      rate: numberOf(row[1]),
      units: FILS,
    };
  });
}
