import { z } from 'zod';
import type { Feed } from '../feeds/feed.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { parseAnswer } from '../feeds/toolbox/json.js';

const URL = 'https://www.fbil.org.in/wasdm/refrates/fetchfiltered';
const PRODUCT = /^INR \/ (\d+) ([A-Z]{3})\b/;

const schema = z.array(
  z.object({ processRunDate: z.string().nullish(), subProdName: z.string().nullish(), rate: z.unknown() }),
);

/** Financial Benchmarks India: rupees for so many units, which the product's name tells. */
export const feed: Feed = {
  key: 'FBIL',

  async *rows({ from, to }, { http }) {
    const query = { fromDate: from, toDate: to, authenticated: 'false' };
    for (const { processRunDate, subProdName, rate } of parseAnswer(schema, await http.get(URL, { query }))) {
      const [, units, base] = PRODUCT.exec(subProdName ?? '') ?? [];
      if (!base || !Number(units) || !processRunDate || typeof rate !== 'number' || rate === 0) continue;
      yield { date: parseDate(processRunDate, 'YYYY-MM-DD'), base, quote: 'INR', rate: rate / Number(units) };
    }
  },
};
