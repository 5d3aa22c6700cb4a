import { z } from 'zod';
import { type Feed, FeedError } from '../feeds/feed.js';
import { formatDate, parseDate } from '../feeds/toolbox/dates.js';
import { parseAnswer } from '../feeds/toolbox/json.js';
import { numberOrMissing } from '../feeds/toolbox/numbers.js';

const URL = 'https://www.mma.gov.mv/JSON/referencerates.json';
/** Two days in one entry, `08/09 February 2021`, mean the later one. */
const SPAN = /^\d{1,2}\/(?=\d{1,2} )/;

const schema = z.array(
  z.object({ Date: z.string().nullish(), Rate: z.union([z.string(), z.number()]).nullish() }),
);

/** Maldives Monetary Authority: rufiyaa for one dollar; the whole history is one file. */
export const feed: Feed = {
  key: 'MMA',

  async *rows({ to }, { http }) {
    // The parameter only makes caches ask anew.
    const answer = await http.get(URL, { query: { v: formatDate(to, 'YYYYMMDD') } });
    const history = parseAnswer(schema, answer);
    if (history.length === 0) throw new FeedError(`${answer.url}: an empty history`);
    for (const { Date: day, Rate } of history) {
      const rate = numberOrMissing(Rate);
      if (!day || !rate) continue;
      yield { date: parseDate(day.replace(SPAN, ''), 'D Mon YYYY'), base: 'USD', quote: 'MVR', rate };
    }
  },
};
