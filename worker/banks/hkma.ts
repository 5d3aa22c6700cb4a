import { z } from 'zod';
import type { Feed } from '../feeds/feed.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { parseAnswer } from '../feeds/toolbox/json.js';

const URL =
  'https://api.hkma.gov.hk/public/market-data-and-statistics/monthly-statistical-bulletin/er-ir/er-eeri-daily';
const PAGE_SIZE = 100;

/** Members of a record that are rates; the others are indices and the currencies that became the euro. */
const CURRENCIES = 'usd eur gbp jpy cad aud sgd twd chf cny krw thb myr php inr idr zar'.split(' ');

const schema = z.object({
  header: z.object({ success: z.literal(true) }),
  result: z.object({
    records: z.array(z.object({ end_of_day: z.string().nullish() }).catchall(z.unknown())),
  }),
});

/** Hong Kong Monetary Authority: Hong Kong dollars for one unit at the end of the day, in pages, newest first. */
export const feed: Feed = {
  key: 'HKMA',
  backfillDays: 365,

  async *rows({ from, to }, { http }) {
    for (let offset = 0, count = PAGE_SIZE; count === PAGE_SIZE; offset += PAGE_SIZE) {
      const query = { pagesize: PAGE_SIZE, offset, sortby: 'end_of_day', sortorder: 'desc' };
      const answer = await http.get(URL, { query: { choose: 'end_of_day', from, to, ...query } });
      const { records } = parseAnswer(schema, answer).result;
      count = records.length;
      for (const { end_of_day: day, ...record } of records) {
        if (!day) continue;
        const date = parseDate(day, 'YYYY-MM-DD');
        for (const currency of CURRENCIES) {
          const rate = record[currency];
          if (typeof rate === 'number' && rate > 0) {
            yield { date, base: currency.toUpperCase(), quote: 'HKD', rate };
          }
        }
      }
    }
  },
};
