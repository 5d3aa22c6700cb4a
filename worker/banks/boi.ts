import { type Feed, noData, ratesFrom } from '../feeds/feed.js';
import { csvRecords } from '../feeds/toolbox/csv.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { isNothingFound, NO_SDMX_RESULTS } from '../feeds/toolbox/not-found.js';
import { numberOrMissing } from '../feeds/toolbox/numbers.js';

/** The trailing slash is required. */
const ENDPOINT = 'https://edge.boi.gov.il/FusionEdgeServer/sdmx/v2/data/dataflow/BOI.STATISTICS/EXR/1.0/';

const COLUMNS = ['BASE_CURRENCY', 'COUNTER_CURRENCY', 'TIME_PERIOD', 'OBS_VALUE', 'UNIT_MULT'] as const;

/** Bank of Israel: the representative rate in shekels for a power of ten of units, as stated in each row. */
export const feed: Feed = {
  key: 'BOI',
  empty: 'a window without rates has the headings alone',
  blank: 'a value is blank on days without one',

  async *read(window, { http }) {
    const response = await http.get(ENDPOINT, {
      query: { 'c[DATA_TYPE]': 'OF00', startperiod: window.from, endperiod: window.to, format: 'csv' },
      answers: [404],
    });
    if (isNothingFound(response, NO_SDMX_RESULTS)) {
      yield noData(response, '404 in the words of SDMX for a window without rates');
      return;
    }
    const records = csvRecords(response, COLUMNS);
    yield ratesFrom(
      response,
      window,
      records,
      ({ BASE_CURRENCY: base, COUNTER_CURRENCY: quote, TIME_PERIOD, OBS_VALUE, UNIT_MULT }) => ({
        date: parseDate(TIME_PERIOD, 'YYYY-MM-DD'),
        base,
        quote,
        rate: numberOrMissing(OBS_VALUE),
        units: 10 ** (numberOrMissing(UNIT_MULT) ?? 0),
      }),
    );
  },
};
