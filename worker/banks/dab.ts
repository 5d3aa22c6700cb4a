import { type Feed, FeedError } from '../feeds/feed.js';
import { clean, htmlPage, tableRecords } from '../feeds/toolbox/html.js';
import { midpoint } from '../feeds/toolbox/midpoint.js';
import { numberOrNaN, readable } from '../feeds/toolbox/readable.js';
import { daysOf } from '../feeds/toolbox/windows.js';

const URL = 'https://www.dab.gov.af/exchange-rates';
const TABLE = 'div.table-responsive table.table-striped';
const COLUMNS = ['Currency', 'Transfer (Sell)', 'Transfer (Buy)'] as const;

/** The labels without their signs, upper case, and the units of which they give the price. */
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

/** Da Afghanistan Bank: the midpoint of transfers bought and sold in afghanis for one unit, one page a day. */
export const feed: Feed = {
  key: 'DAB',
  backfillDays: 1,

  async *rows(window, { http }) {
    for (const date of daysOf(window)) {
      await http.pause(500);
      const answer = await http.get(URL, { query: { field_date_value: date } });
      const page = htmlPage(answer);
      if (clean(page.text()).includes('There were no results')) continue;
      const shown = page('input[name="field_date_value"]').attr('value');
      if (shown && shown !== date)
        throw new FeedError(`${answer.url}: answered the rates of ${shown}, not ${date}`);
      // The table of the month's averages looks the same.
      page('h2:contains("Average Rates")').parents().nextAll().remove();
      const rows = tableRecords(page, TABLE, COLUMNS, answer).flatMap((row) => {
        const [base, units = 1] = CURRENCIES[labelOf(row.Currency)] ?? [];
        const [selling, buying] = [numberOrNaN(row['Transfer (Sell)']), numberOrNaN(row['Transfer (Buy)'])];
        const middle = selling > 0 && buying > 0 ? midpoint(selling, buying) : Number.NaN;
        return base ? [{ date, base, quote: 'AFN', rate: middle / units }] : [];
      });
      if (rows.length === 0) throw new FeedError(`${answer.url}: the table names no currency that is known`);
      yield* readable(rows, answer);
    }
  },
};

function labelOf(cell: string): string {
  return clean(cell.replace(/[$€£₣¥]/g, '')).toUpperCase();
}
