import * as z from 'zod';
import { type Feed, ratesFrom } from '../feeds/feed.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { parseJson } from '../feeds/toolbox/json.js';
import { numberOrMissing } from '../feeds/toolbox/numbers.js';

const ENDPOINT = 'https://www.mongolbank.mn/en/currency-rate-movement/data';

const day = z.object({ RATE_DATE: z.string() }).catchall(z.union([z.string(), z.number()]).nullable());
const schema = z.object({ success: z.literal(true), data: z.array(day) });

/** Bank of Mongolia: tugrik for one unit of each currency and one troy ounce of gold and silver. */
export const feed: Feed = {
  key: 'BOM',
  empty: 'a window without rates is an empty list',

  async *read(window, { http }) {
    const response = await http.post(ENDPOINT, {
      headers: { accept: 'application/json' },
      json: { startDate: window.from, endDate: window.to },
    });
    const records = parseJson(response, schema).data.flatMap(({ RATE_DATE, ...prices }) =>
      Object.entries(prices).map(([code, price]) => ({ RATE_DATE, code, price })),
    );
    yield ratesFrom(response, window, records, ({ RATE_DATE, code, price }) => ({
      date: parseDate(RATE_DATE, 'YYYY-MM-DD'),
      base: code === 'SDR' ? 'XDR' : code,
      quote: 'MNT',
      rate: numberOrMissing(price),
    }));
  },
};
