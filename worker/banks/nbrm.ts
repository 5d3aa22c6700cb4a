import { z } from 'zod';
import type { Feed } from '../feeds/feed.js';
import { formatDate, parseDate } from '../feeds/toolbox/dates.js';
import { parseAnswer } from '../feeds/toolbox/json.js';
import { numberOf } from '../feeds/toolbox/numbers.js';
import { stepsOf } from '../feeds/toolbox/windows.js';

const URL = 'https://www.nbrm.mk/KLServiceNOV/GetExchangeRate';
const STEP_DAYS = 90;

const number = z.union([z.number(), z.string()]);
const schema = z.array(
  z.object({ datum: z.string(), oznaka: z.string().trim(), nomin: number, sreden: number }),
);

/**
 * National Bank of the Republic of North Macedonia: the middle rate in denars, for every calendar day; weekends
 * and holidays have a list of their own, which repeats the last one.
 */
export const feed: Feed = {
  key: 'NBRM',
  backfillDays: STEP_DAYS,

  async *rows(window, { http }) {
    for (const { from, to } of stepsOf(window, STEP_DAYS)) {
      const [StartDate, EndDate] = [from, to].map((day) => formatDate(day, 'DD.MM.YYYY'));
      const answer = await http.get(URL, { query: { StartDate, EndDate, format: 'json' } });
      await http.pause(500);
      for (const { datum, oznaka: base, nomin, sreden } of parseAnswer(schema, answer)) {
        const date = parseDate(datum, 'YYYY-MM-DD');
        const rate = numberOf(sreden) / numberOf(nomin);
        if (base !== 'MKD' && rate > 0) yield { date, base, quote: 'MKD', rate };
      }
    }
  },
};
