import { type Feed, FeedError, mismatch, ratesFrom, sidesOf, type Window } from '../feeds/feed.js';
import type { HttpAnswer } from '../feeds/http/client.js';
import { formatDate, parseDate } from '../feeds/toolbox/dates.js';
import { hiddenFields, htmlPage, tableRecords } from '../feeds/toolbox/html.js';
import { numberOrMissing } from '../feeds/toolbox/numbers.js';

const PAGE = 'https://cbo.gov.om/Pages/DFESearch.aspx';
const LIST = 'ddCurrencyCodes';
const COLUMNS = ['Currency Code', 'Exchange Date', 'Buying', 'Selling'] as const;
type Row = Record<(typeof COLUMNS)[number], string>;

/**
 * Central Bank of Oman: the middle of the buying and selling rates in rials for one unit, or an ounce of a metal, with one
 * form request per currency. Of several rates of a day the latest counts, as it corrects the earlier ones.
 */
export const feed: Feed = {
  key: 'CBO',
  reading: 2,
  pauseMs: 1000,
  currencyByCurrency: true,
  blank: 'a day without a figure has the mark string;# alone',
  empty: 'a window without rates has the headings alone',

  async *read(window, { http, navigation }) {
    const page = await navigation.get(PAGE);
    const form = htmlPage(page);
    const hidden = hiddenFields(form, ['__VIEWSTATE', '__VIEWSTATEGENERATOR', '__EVENTVALIDATION'], page);
    const list = form(`select[name$="$${LIST}"]`).first();
    const prefix = list.attr('name')?.slice(0, -LIST.length);
    const codes = list
      .find('option')
      .toArray()
      .map((option) => option.attribs.value ?? '')
      .filter((code) => code !== '' && code !== 'All');
    if (prefix === undefined || codes.length === 0)
      throw new FeedError(`${page.url}: no list of currencies on the page: blocked, moved or redesigned`);
    for (const code of codes) {
      const response = await http.post(PAGE, {
        form: {
          ...hidden,
          [`${prefix}${LIST}`]: code,
          [`${prefix}dateFrom`]: formatDate(window.from, 'DD/MM/YYYY'),
          [`${prefix}dateTo`]: formatDate(window.to, 'DD/MM/YYYY'),
          [`${prefix}btnExport`]: '',
        },
      });
      yield readingOf(response, window, code);
    }
  },
};

function readingOf(response: HttpAnswer, window: Window, code: string) {
  const rows = tableRecords(htmlPage(response), 'table', COLUMNS, response);
  const other = rows.find((row) => row['Currency Code'] !== code && row.Buying !== '');
  if (other) return mismatch(response, `it is of ${other['Currency Code']}, not ${code}`);
  const latestFirst = rows.toSorted((one, another) => timeOf(another) - timeOf(one));
  const days = new Map<string, Row>();
  for (const row of latestFirst) {
    const day = row['Exchange Date'].split(' ')[0] ?? '';
    if (!days.has(day)) days.set(day, row);
  }
  return ratesFrom(response, window, days.values(), (row) => ({
    date: parseDate(row['Exchange Date'], 'DD/MM/YYYY'),
    base: code === 'SDR' ? 'XDR' : code,
    quote: 'OMR',
    ...sidesOf(priceOf(row.Buying), priceOf(row.Selling)),
  }));
}

/** The second of the day in `26/05/2019 08:21:48 AM`. */
function timeOf({ 'Exchange Date': text }: Row): number {
  const [, hours = '', minutes = '', seconds = '', half] =
    /^\S+ (\d{1,2}):(\d\d):(\d\d) ([AP])M$/.exec(text) ?? [];
  return ((Number(hours) % 12) + (half === 'P' ? 12 : 0)) * 3600 + Number(minutes) * 60 + Number(seconds);
}

/** `string;#1734.43`; nothing after the mark if there is no figure. */
function priceOf(cell: string): number | undefined {
  return numberOrMissing(cell.replace(/^[a-z]+;#/i, ''));
}
