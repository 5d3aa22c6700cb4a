import { z } from 'zod';
import type { Feed } from '../feeds/feed.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { parseAnswer } from '../feeds/toolbox/json.js';
import { daysOf } from '../feeds/toolbox/windows.js';

const URL = 'https://nbg.gov.ge/gw/api/ct/monetarypolicy/currencies/';
const SUNDAY = 7;

const schema = z.array(
  z.object({
    date: z.string(),
    currencies: z.array(z.object({ code: z.string(), quantity: z.number(), rate: z.number() })),
  }),
);

/**
 * National Bank of Georgia: lari for so many units of each currency, one day a request. A day without a table of its
 * own is answered with the last one under that one's date, so the date is the answer's.
 */
export const feed: Feed = {
  key: 'NBG',
  backfillDays: 90,

  async *rows(window, { http }) {
    for (const day of daysOf(window, { without: [SUNDAY] })) {
      const tables = parseAnswer(schema, await http.get(URL, { query: { date: day } }));
      await http.pause(200);
      for (const table of tables) {
        const date = parseDate(table.date, 'YYYY-MM-DD');
        for (const { code, quantity, rate } of table.currencies) {
          if (rate > 0 && quantity > 0) yield { date, base: code, quote: 'GEL', rate: rate / quantity };
        }
      }
    }
  },
};
