import * as z from 'zod';
import { type Feed, ratesFrom, skipped } from '../feeds/feed.js';
import { formatDate, parseDate } from '../feeds/toolbox/dates.js';
import { parseJson } from '../feeds/toolbox/json.js';
import { numberOf } from '../feeds/toolbox/numbers.js';
import { stepsOf } from '../feeds/toolbox/windows.js';

const ENDPOINT = 'https://www.nbrm.mk/KLServiceNOV/GetExchangeRate';
const STEP_DAYS = 90;

const number = z.union([z.number(), z.string()]);
const schema = z.array(
  z.object({ datum: z.string(), oznaka: z.string().trim(), nomin: number, sreden: number }),
);

/**
 * National Bank of the Republic of North Macedonia: the middle rate in denars, for every calendar day. Weekends and holidays
 * have their own list, which repeats the last one.
 */
export const feed: Feed = {
  key: 'NBRM',
  backfillDays: STEP_DAYS,
  empty: 'a window without lists is an empty list',

  async *read(window, { http }) {
    for (const asked of stepsOf(window, STEP_DAYS)) {
      const [StartDate, EndDate] = [asked.from, asked.to].map((day) => formatDate(day, 'DD.MM.YYYY'));
      const response = await http.get(ENDPOINT, { query: { StartDate, EndDate, format: 'json' } });
      const records = parseJson(response, schema);
      yield ratesFrom(response, asked, records, ({ datum, oznaka: base, nomin, sreden }) =>
        base === 'MKD'
          ? skipped('the denar itself')
          : {
              date: parseDate(datum, 'YYYY-MM-DD'),
              base,
              quote: 'MKD',
              rate: numberOf(sreden),
              units: numberOf(nomin),
            },
      );
    }
  },
};
