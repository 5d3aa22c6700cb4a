import { z } from 'zod';
import { type Feed, FeedError } from '../feeds/feed.js';
import { epochDate } from '../feeds/toolbox/dates.js';
import { parseAnswer } from '../feeds/toolbox/json.js';
import { numberOf } from '../feeds/toolbox/numbers.js';

const URL = 'https://forex.cbm.gov.mm/api/latest';

/** Quoted for a hundred, which only the bank's page says. */
const PER_HUNDRED = new Set(['JPY', 'KHR', 'IDR', 'KRW', 'LAK', 'VND']);

const schema = z.object({
  timestamp: z.union([z.string().regex(/^\d+$/), z.number()]),
  rates: z.record(z.string(), z.union([z.string(), z.number()])),
});

/** Central Bank of Myanmar: the newest table in kyat, whatever the window; its history grows by being asked daily. */
export const feed: Feed = {
  key: 'CBM',

  async *rows(_window, { http }) {
    const answer = await http.get(URL);
    const { timestamp, rates } = parseAnswer(schema, answer);
    const date = epochDate(Number(timestamp) * 1000);
    const entries = Object.entries(rates);
    if (entries.length === 0) throw new FeedError(`${answer.url}: a table without rates`);
    for (const [base, printed] of entries) {
      const rate = numberOf(printed) / (PER_HUNDRED.has(base) ? 100 : 1);
      if (base !== 'MMK' && rate > 0) yield { date, base, quote: 'MMK', rate };
    }
  },
};
