import { z } from 'zod';
import type { Feed } from '../feeds/feed.js';
import { dateOrNone } from '../feeds/toolbox/dates.js';
import { parseAnswer } from '../feeds/toolbox/json.js';
import { midpoint } from '../feeds/toolbox/midpoint.js';
import { numberOf, numberOrMissing } from '../feeds/toolbox/numbers.js';

const URL = 'https://www.nrb.org.np/api/forex/v1/rates';
/** The service gives no more days on one page. */
const DAYS_PER_PAGE = 100;

const price = z.string().nullish();
const schema = z.object({
  data: z.object({
    payload: z.array(
      z.object({
        date: z.string(),
        rates: z.array(
          z.object({
            currency: z.object({ iso3: z.string(), unit: z.union([z.number(), z.string()]).default(1) }),
            buy: price,
            sell: price,
          }),
        ),
      }),
    ),
  }),
  pagination: z.object({ pages: z.number() }).default({ pages: 1 }),
});

/** Nepal Rastra Bank: the midpoint of buying and selling in Nepalese rupees for so many units, every calendar day. */
export const feed: Feed = {
  key: 'NRB',
  backfillDays: 90,

  async *rows({ from, to }, { http }) {
    for (let page = 1, pages = 1; page <= pages; page++) {
      if (page > 1) await http.pause(500);
      const answer = await http.get(URL, { query: { from, to, page, per_page: DAYS_PER_PAGE } });
      const { data, pagination } = parseAnswer(schema, answer);
      pages = pagination.pages;
      for (const day of data.payload) {
        const date = dateOrNone(day.date, 'YYYY-MM-DD');
        // The archive has a day with a slip in its date, which nobody can place.
        if (date === undefined) continue;
        for (const { currency, buy, sell } of day.rates) {
          const [buying, selling] = [numberOrMissing(buy), numberOrMissing(sell)];
          if (buying === undefined || selling === undefined) continue;
          const rate = midpoint(buying, selling) / numberOf(currency.unit);
          if (rate > 0) yield { date, base: currency.iso3, quote: 'NPR', rate };
        }
      }
    }
  },
};
