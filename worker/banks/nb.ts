import { type Feed, noData, ratesFrom, skipped } from '../feeds/feed.js';
import { csvRecords } from '../feeds/toolbox/csv.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { isNothingFound, NO_SDMX_RESULTS } from '../feeds/toolbox/not-found.js';
import { numberOrMissing } from '../feeds/toolbox/numbers.js';
import { stepsOf } from '../feeds/toolbox/windows.js';

const ENDPOINT = 'https://data.norges-bank.no/api/data/EXR/B..NOK.SP';
const STEP_DAYS = 365;
const COLUMNS = ['FREQ', 'BASE_CUR', 'TIME_PERIOD', 'OBS_VALUE', 'UNIT_MULT'] as const;
/** Indices of the krone that are listed among the currencies. */
const INDICES = ['I44', 'TWI'];

/** Norges Bank: the middle rate in kroner for a power of ten of units, as stated in each row. */
export const feed: Feed = {
  key: 'NB',
  backfillDays: STEP_DAYS,
  empty: 'a window without rates has the headings alone',
  blank: 'a value is blank or NaN on days without one',

  async *read(window, { http }) {
    for (const asked of stepsOf(window, STEP_DAYS)) {
      const response = await http.get(ENDPOINT, {
        query: { format: 'csvdata', startPeriod: asked.from, endPeriod: asked.to },
        answers: [404],
      });
      if (isNothingFound(response, NO_SDMX_RESULTS)) {
        yield noData(response, '404 in the words of SDMX for a window without rates');
        continue;
      }
      const records = csvRecords(response, COLUMNS);
      yield ratesFrom(
        response,
        asked,
        records,
        ({ FREQ, BASE_CUR: base, TIME_PERIOD, OBS_VALUE, UNIT_MULT }) =>
          FREQ !== 'B' || INDICES.includes(base)
            ? skipped('an index of the krone, or an average')
            : {
                date: parseDate(TIME_PERIOD, 'YYYY-MM-DD'),
                base,
                quote: 'NOK',
                rate: numberOrMissing(OBS_VALUE, '.', ['NaN']),
                units: 10 ** (numberOrMissing(UNIT_MULT) ?? 0),
              },
      );
    }
  },
};
