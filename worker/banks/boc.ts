import { z } from 'zod';
import type { Feed } from '../feeds/feed.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { parseAnswer } from '../feeds/toolbox/json.js';
import { numberOrMissing } from '../feeds/toolbox/numbers.js';

const URL = 'https://www.bankofcanada.ca/valet/observations/group/FX_RATES_DAILY/json';
const SERIES = /^FX([A-Z]{3})CAD$/;

// A member is `{"v": "0.9661"}`, in early answers a bare number inside, and on old holidays without a `v`.
const schema = z.object({
  observations: z.array(
    z.object({ d: z.string() }).catchall(z.object({ v: z.union([z.string(), z.number()]).optional() })),
  ),
});

/** Bank of Canada: the day's average price of one unit of each currency in Canadian dollars. */
export const feed: Feed = {
  key: 'BOC',

  async *rows({ from, to }, { http }) {
    const answer = await http.get(URL, { query: { start_date: from, end_date: to } });
    for (const { d, ...series } of parseAnswer(schema, answer).observations) {
      const date = parseDate(d, 'YYYY-MM-DD');
      for (const [name, { v }] of Object.entries(series)) {
        const base = SERIES.exec(name)?.[1];
        const rate = numberOrMissing(v);
        if (base && rate !== undefined) yield { date, base, quote: 'CAD', rate };
      }
    }
  },
};
