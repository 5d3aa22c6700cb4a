import { z } from 'zod';
import type { Feed } from '../feeds/feed.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { parseAnswer } from '../feeds/toolbox/json.js';
import { yearsOf } from '../feeds/toolbox/windows.js';

const URL = 'https://api.cnb.cz/cnbapi/exrates/daily-year';

const schema = z.object({
  rates: z.array(
    z.object({ currencyCode: z.string(), amount: z.number(), validFor: z.string(), rate: z.number() }),
  ),
});

/** Czech National Bank: the fixing in koruny for so many units, a whole year in one answer. */
export const feed: Feed = {
  key: 'CNB',
  backfillDays: 365,

  async *rows(window, { http }) {
    for (const { year } of yearsOf(window)) {
      const answer = await http.get(URL, { query: { year, lang: 'EN' } });
      for (const { currencyCode, amount, validFor, rate } of parseAnswer(schema, answer).rates) {
        const date = parseDate(validFor, 'YYYY-MM-DD');
        if (rate > 0 && amount > 0) yield { date, base: currencyCode, quote: 'CZK', rate: rate / amount };
      }
    }
  },
};
