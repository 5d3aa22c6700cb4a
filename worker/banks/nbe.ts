import { z } from 'zod';
import type { Feed } from '../feeds/feed.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { parseAnswer } from '../feeds/toolbox/json.js';
import { weekdaysOf } from '../feeds/toolbox/windows.js';

const URL = 'https://api.nbe.gov.et/api/filter-exchange-rates';

const schema = z.object({
  data: z.array(
    z.object({
      date: z.string(),
      weighted_average: z.union([z.string(), z.number()]).nullish(),
      currency: z.object({ code: z.string() }).nullish(),
    }),
  ),
});

/** National Bank of Ethiopia: the weighted average in birr for one unit, one weekday a request. */
export const feed: Feed = {
  key: 'NBE',
  backfillDays: 30,

  async *rows(window, { http }) {
    for (const day of weekdaysOf(window)) {
      const { data } = parseAnswer(schema, await http.get(URL, { query: { date: day } }));
      await http.pause(200);
      for (const { date, weighted_average: average, currency } of data) {
        const rate = Number(average ?? Number.NaN);
        if (currency && rate > 0) {
          yield { date: parseDate(date, 'YYYY-MM-DD'), base: currency.code, quote: 'ETB', rate };
        }
      }
    }
  },
};
