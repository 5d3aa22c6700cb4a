import { type Feed, FeedError, noData, ratesFrom, sidesOf } from '../feeds/feed.js';
import { clean, htmlPage, tableRecords } from '../feeds/toolbox/html.js';
import { numberOf } from '../feeds/toolbox/numbers.js';
import { daysOf } from '../feeds/toolbox/windows.js';

const ENDPOINT = 'https://www.dab.gov.af/exchange-rates';
const TABLE = 'div.table-responsive table.table-striped';
const COLUMNS = ['Currency', 'Transfer (Sell)', 'Transfer (Buy)'] as const;

/** The labels in upper case without punctuation, with their currencies and numbers of units. */
const CURRENCIES: Readonly<Record<string, readonly [base: string, units: number]>> = {
  USD: ['USD', 1],
  EURO: ['EUR', 1],
  POUND: ['GBP', 1],
  SWISS: ['CHF', 1],
  'INDIAN RS.': ['INR', 1],
  'PAKISTAN RS.': ['PKR', 1],
  // A toman is ten rials.
  'IRAN TOMAN': ['IRR', 10],
  CNY: ['CNY', 1],
  'UAE DIRHAM': ['AED', 1],
  'SAUDI RIYAL': ['SAR', 1],
};

/** Da Afghanistan Bank: the midpoint of transfers bought and sold in afghanis for one unit, one page per day. */
export const feed: Feed = {
  key: 'DAB',
  reading: 2,
  dayByDay: true,
  backfillDays: 1,

  async *read(window, { http }) {
    for (const date of daysOf(window)) {
      const response = await http.get(ENDPOINT, { query: { field_date_value: date } });
      const page = htmlPage(response);
      if (clean(page.text()).includes('There were no results')) {
        yield noData(response, 'the page says "There were no results"');
        continue;
      }
      const shown = page('input[name="field_date_value"]').attr('value');
      if (shown === undefined)
        throw new FeedError(`${response.url}: no field_date_value: blocked, moved or redesigned`);
      if (shown !== date)
        throw new FeedError(`${response.url}: responded with the rates of ${shown}, not ${date}`);
      // Remove the table of the month's averages, which looks the same.
      page('h2:contains("Average Rates")').parents().nextAll().remove();
      const records = tableRecords(page, TABLE, COLUMNS, response);
      yield ratesFrom(response, { from: date, to: date }, records, (row) => {
        const [base, units = 1] = CURRENCIES[labelOf(row.Currency)] ?? [];
        const [buying, selling] = [numberOf(row['Transfer (Buy)']), numberOf(row['Transfer (Sell)'])];
        return { date, base, quote: 'AFN', ...sidesOf(buying, selling), units };
      });
    }
  },
};

function labelOf(cell: string): string {
  return clean(cell.replace(/[$€£₣¥]/g, '')).toUpperCase();
}
