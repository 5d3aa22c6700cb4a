import * as z from 'zod';
import { type Feed, ratesFrom } from '../feeds/feed.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { parseJson } from '../feeds/toolbox/json.js';
import { numberOrMissing } from '../feeds/toolbox/numbers.js';

const ENDPOINT = 'https://www.bankofcanada.ca/valet/observations/group/FX_RATES_DAILY/json';
const SERIES = /^FX([A-Z]{3})CAD$/;

// A member is `{"v": "0.9661"}`, in early responses with a bare number inside, and on old holidays `{"e": -64}`.
const price = z.strictObject({ v: z.union([z.string(), z.number()]).optional(), e: z.number().optional() });
const schema = z.object({ observations: z.array(z.object({ d: z.string() }).catchall(price)) });

/** Bank of Canada: the day's average price of one unit of each currency in Canadian dollars. */
export const feed: Feed = {
  key: 'BOC',
  empty: 'a window without a business day is an empty list',
  blank: 'old holidays have an error number in place of a rate',

  async *read(window, { http }) {
    const response = await http.get(ENDPOINT, { query: { start_date: window.from, end_date: window.to } });
    const records = parseJson(response, schema).observations.flatMap(({ d, ...series }) =>
      Object.entries(series).map(([name, { v }]) => ({ d, name, v })),
    );
    yield ratesFrom(response, window, records, ({ d, name, v = null }) => ({
      date: parseDate(d, 'YYYY-MM-DD'),
      base: SERIES.exec(name)?.[1],
      quote: 'CAD',
      rate: numberOrMissing(v),
    }));
  },
};
