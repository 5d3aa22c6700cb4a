import { type Feed, FeedError } from '../feeds/feed.js';
import { excelDate } from '../feeds/toolbox/dates.js';
import { readWorkbook } from '../feeds/toolbox/workbook.js';

const URL = 'https://www.reservebank.to/data/docs/fmarkets/exrates/average_daily_exchange_rates.xlsx';

/** The block of middle rates: columns O to Z, its title in row 4, its codes in row 6. */
const [FIRST, TITLE_ROW, CODES_ROW] = [14, 3, 5];
const CODES = ['AUD', 'EUR', 'FJD', 'GBP', 'JPY', 'NZD', 'USD', 'WST', 'CHF', 'CAD', 'SEK', 'SGD'];

/**
 * National Reserve Bank of Tonga: what one paʻanga costs, the banks' published middle. One workbook with the whole
 * history, a sheet for two years; a holiday has a text in place of its rates.
 */
export const feed: Feed = {
  key: 'NRBT',

  async *rows(_window, { http }) {
    const answer = await http.get(URL);
    let found = false;
    for (const { name, rows } of await readWorkbook(answer)) {
      const days = rows.filter(([day]) => typeof day === 'number');
      if (days.length === 0) continue;
      found = true;
      const codes = rows[CODES_ROW]?.slice(FIRST, FIRST + CODES.length).map((cell) => String(cell).trim());
      if (!/MID\s*$/.test(String(rows[TITLE_ROW]?.[FIRST])) || codes?.join() !== CODES.join()) {
        throw new FeedError(
          `${answer.url}: the sheet ${name} has no block MID of ${CODES.join(', ')} in O4 to Z6`,
        );
      }
      for (const row of days) {
        const date = excelDate(Number(row[0]));
        for (const [index, quote] of CODES.entries()) {
          const rate = row[FIRST + index];
          if (typeof rate === 'number' && rate > 0) yield { date, base: 'TOP', quote, rate };
        }
      }
    }
    if (!found) throw new FeedError(`${answer.url}: no sheet has a day number in its first column`);
  },
};
