import { type Feed, noData, ratesFrom, skipped } from '../feeds/feed.js';
import { csvRecords } from '../feeds/toolbox/csv.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { isNothingFound, NO_SDMX_RESULTS } from '../feeds/toolbox/not-found.js';
import { numberOrMissing } from '../feeds/toolbox/numbers.js';

const ENDPOINT = 'https://data-api.ecb.europa.eu/service/data/EXR/D..EUR.SP00.A';
/** European Central Bank: the price of one euro, from the SDMX service, all currencies in one response. */
export const feed: Feed = {
  key: 'ECB',
  backfillDays: 365,

  async *read(window, { http }) {
    const response = await http.get(ENDPOINT, {
      query: { format: 'csvdata', startPeriod: window.from, endPeriod: window.to },
      answers: [404],
    });
    if (isNothingFound(response, NO_SDMX_RESULTS)) {
      yield noData(response, '404 as the bank documents it for a window without observations');
      return;
    }
    const records = csvRecords(response, ['FREQ', 'CURRENCY', 'TIME_PERIOD', 'OBS_VALUE']);
    yield ratesFrom(response, window, records, ({ FREQ, CURRENCY: quote, TIME_PERIOD, OBS_VALUE }) =>
      FREQ === 'D'
        ? {
            date: parseDate(TIME_PERIOD, 'YYYY-MM-DD'),
            base: 'EUR',
            quote,
            // Some currencies may lack an observation, but never all of them.
            rate: numberOrMissing(OBS_VALUE, '.', ['NaN']),
          }
        : skipped(FREQ === '' ? 'a line of blanks' : 'not a daily rate'),
    );
  },
};
