import { type Feed, FeedError } from '../feeds/feed.js';
import { csvRecords } from '../feeds/toolbox/csv.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { numberOrMissing } from '../feeds/toolbox/numbers.js';
import { stepsOf } from '../feeds/toolbox/windows.js';

const URL = 'https://data.norges-bank.no/api/data/EXR/B..NOK.SP';
const STEP_DAYS = 365;
const COLUMNS = ['FREQ', 'BASE_CUR', 'TIME_PERIOD', 'OBS_VALUE', 'UNIT_MULT'] as const;
/** Indices of the krone, among the currencies. */
const INDICES = ['I44', 'TWI'];

/** Norges Bank: the middle rate in kroner for a power of ten of units, which each row names. */
export const feed: Feed = {
  key: 'NB',
  backfillDays: STEP_DAYS,

  async *rows(window, { http }) {
    for (const { from, to } of stepsOf(window, STEP_DAYS)) {
      const answer = await http.get(URL, {
        query: { format: 'csvdata', startPeriod: from, endPeriod: to },
        answers: [404],
      });
      if (answer.status === 404) {
        // The SDMX answer to a window without rates; a wrong dataset or key is 404 too, but not in these words.
        if (/no (results|data)/i.test(answer.text())) continue;
        throw new FeedError(`${answer.url}: answered 404 without saying that it has no data: moved?`);
      }
      for (const { FREQ, BASE_CUR: base, TIME_PERIOD, OBS_VALUE, UNIT_MULT } of csvRecords(answer, COLUMNS)) {
        const value = numberOrMissing(OBS_VALUE, '.', ['NaN']);
        if (FREQ !== 'B' || INDICES.includes(base) || value === undefined) continue;
        const rate = value / 10 ** (numberOrMissing(UNIT_MULT) ?? 0);
        yield { date: parseDate(TIME_PERIOD, 'YYYY-MM-DD'), base, quote: 'NOK', rate };
      }
    }
  },
};
