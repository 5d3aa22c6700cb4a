import { addDays } from '../../core/domain/dates.js';
import { type Feed, FeedError, mismatch, type Reading, ratesFrom, type Window } from '../feeds/feed.js';
import type { HttpAnswer } from '../feeds/http/client.js';
import { formatDate, parseDate } from '../feeds/toolbox/dates.js';
import { hiddenFields, htmlPage, tableCells } from '../feeds/toolbox/html.js';
import { numberOf } from '../feeds/toolbox/numbers.js';

const SITE = 'https://www.cbk.gov.kw/en/monetary-policy/market-operations/exchange-rates';
/** The rates are in fils. */
const FILS = 1000;
/** The sucre is still filled, and ended in 2000. */
const LEFT_OUT = ['ECS'];

/**
 * Central Bank of Kuwait: fils for one unit of each currency, a form's answer for each. Small rates have few digits:
 * which ones are blended says the provider's entry.
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
    // Of a code that is listed twice the later id counts.
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
          // The server leaves the first day out.
          txtDateFrom: formatDate(addDays(window.from, -1), 'DD/MM/YYYY'),
          txtDateTo: formatDate(window.to, 'DD/MM/YYYY'),
        },
      });
      yield readingOf(response, window, code, named);
    }
  },
};

/** `named` are the currencies that the headings of the run have named so far. */
function readingOf(response: HttpAnswer, window: Window, code: string, named: Map<string, string>): Reading {
  const page = htmlPage(response);
  if (page('#currencyJSON').length === 0)
    throw new FeedError(`${response.url}: no currencyJSON in the answer: blocked, moved or redesigned`);
  const [[first, heading = ''] = [], ...rows] = tableCells(page, 'table', response);
  if (first !== 'Date' || !heading.startsWith('KWD / '))
    throw new FeedError(
      `${response.url}: the columns are ${first} and ${heading}, not Date and KWD / ${code}`,
    );
  // It names the currency by its code or in words, no two by the same.
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
