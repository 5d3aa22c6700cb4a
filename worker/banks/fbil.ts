import * as z from 'zod';
import { type Feed, ratesFrom } from '../feeds/feed.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { parseJson } from '../feeds/toolbox/json.js';
import { numberOrMissing } from '../feeds/toolbox/numbers.js';

const ENDPOINT = 'https://www.fbil.org.in/wasdm/refrates/fetchfiltered';
const PRODUCT = /^INR \/ (\d+) ([A-Z]{3})\b/;

const schema = z.array(
  z.object({
    processRunDate: z.string(),
    subProdName: z.string(),
    rate: z.union([z.number(), z.string()]).nullable(),
  }),
);

/** Financial Benchmarks India: rupees for a stated number of units, which is part of the product's name. */
export const feed: Feed = {
  key: 'FBIL',
  empty: 'a window without rates is an empty list',

  async *read(window, { http }) {
    const query = { fromDate: window.from, toDate: window.to, authenticated: 'false' };
    const response = await http.get(ENDPOINT, { query });
    const records = parseJson(response, schema);
    yield ratesFrom(response, window, records, ({ processRunDate, subProdName, rate }) => {
      const [, units, base] = PRODUCT.exec(subProdName) ?? [];
      return {
        date: parseDate(processRunDate, 'YYYY-MM-DD'),
        base,
        quote: 'INR',
        rate: numberOrMissing(rate),
        units: Number(units),
      };
    });
  },
};
