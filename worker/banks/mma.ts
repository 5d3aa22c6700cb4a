import * as z from 'zod';
import { type Feed, ratesFrom } from '../feeds/feed.js';
import { formatDate, parseDate } from '../feeds/toolbox/dates.js';
import { parseJson } from '../feeds/toolbox/json.js';
import { numberOrMissing } from '../feeds/toolbox/numbers.js';

const ENDPOINT = 'https://www.mma.gov.mv/JSON/referencerates.json';
/** Two days in one entry, `08/09 February 2021`, mean the later one. */
const SPAN = /^\d{1,2}\/(?=\d{1,2} )/;

const record = z.object({ Date: z.string(), Rate: z.union([z.string(), z.number()]).nullable() });
const schema = z.array(record);

/** Maldives Monetary Authority: rufiyaa for one dollar, the whole history in one file. */
export const feed: Feed = {
  key: 'MMA',

  async *read({ to }, { http }) {
    // The parameter only bypasses caches.
    const response = await http.get(ENDPOINT, { query: { v: formatDate(to, 'YYYYMMDD') } });
    yield ratesFrom(response, 'any day', parseJson(response, schema), ({ Date: day, Rate }) => ({
      date: parseDate(day.replace(SPAN, ''), 'D Mon YYYY'),
      base: 'USD',
      quote: 'MVR',
      rate: numberOrMissing(Rate),
    }));
  },
};
