import * as z from 'zod';
import { type Feed, ratesFrom, withSides } from '../feeds/feed.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { parseJson } from '../feeds/toolbox/json.js';
import { numberOrMissing } from '../feeds/toolbox/numbers.js';
import { weekdaysOf } from '../feeds/toolbox/windows.js';

const ENDPOINT = 'https://api.nbe.gov.et/api/filter-exchange-rates';

const price = z.union([z.string(), z.number()]).nullable();
const prices = { buying: price, selling: price, weighted_average: price };
const currency = z.object({ code: z.string() }).nullable();
const schema = z.object({ data: z.array(z.object({ date: z.string(), ...prices, currency })) });

/**
 * National Bank of Ethiopia: the weighted average in birr for one unit, one request per weekday. Since August 2026 the
 * service is reportedly gone: its host responds with 404 from the bank's web site, and with the certificate of another host.
 * Both are errors until it comes back or moves.
 */
export const feed: Feed = {
  key: 'NBE',
  pauseMs: 200,
  dayByDay: true,
  backfillDays: 30,
  empty: 'a closed day is an empty list',

  async *read(window, { http }) {
    for (const day of weekdaysOf(window)) {
      const response = await http.get(ENDPOINT, { query: { date: day } });
      const records = parseJson(response, schema).data;
      yield ratesFrom(response, { from: day, to: day }, records, ({ date, currency, ...price }) => ({
        date: parseDate(date, 'YYYY-MM-DD'),
        base: currency?.code,
        quote: 'ETB',
        ...withSides(numberOrMissing, price.weighted_average, price.buying, price.selling),
      }));
    }
  },
};
