import * as z from 'zod';
import { type Feed, ratesFrom, skipped } from '../feeds/feed.js';
import { epochDate } from '../feeds/toolbox/dates.js';
import { parseJson } from '../feeds/toolbox/json.js';
import { numberOf } from '../feeds/toolbox/numbers.js';

const ENDPOINT = 'https://forex.cbm.gov.mm/api/latest';

/** Quoted for a hundred units, which only the bank's web page states. */
const PER_HUNDRED = new Set(['JPY', 'KHR', 'IDR', 'KRW', 'LAK', 'VND']);

const schema = z.object({
  timestamp: z.union([z.string().regex(/^\d+$/), z.number()]),
  rates: z.record(z.string(), z.union([z.string(), z.number()])),
});

/** Central Bank of Myanmar: the newest table in kyat, whatever the window. Daily requests build its history. */
export const feed: Feed = {
  key: 'CBM',

  async *read(_window, { http }) {
    const response = await http.get(ENDPOINT);
    const { timestamp, rates } = parseJson(response, schema);
    yield ratesFrom(response, 'any day', Object.entries(rates), ([base, printed]) =>
      base === 'MMK'
        ? skipped('the kyat itself')
        : {
            date: epochDate(Number(timestamp) * 1000),
            base,
            quote: 'MMK',
            rate: numberOf(printed),
            units: PER_HUNDRED.has(base) ? 100 : 1,
          },
    );
  },
};
