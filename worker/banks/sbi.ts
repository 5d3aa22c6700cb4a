import { type Feed, FeedError, ratesFrom } from '../feeds/feed.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { numberOrMissing } from '../feeds/toolbox/numbers.js';
import { stepsOf } from '../feeds/toolbox/windows.js';
import { xmlRoot } from '../feeds/toolbox/xml.js';

const ENDPOINT = 'https://sedlabanki.is/xmltimeseries/Default.aspx';
const STEP_DAYS = 365;

/** The series that are middle rates, by group; buying and selling rates, and currencies of the past, are not read. */
const GROUPS: readonly [group: number, series: Readonly<Record<string, string>>][] = [
  [
    9,
    {
      4055: 'USD',
      4061: 'DKK',
      4064: 'EUR',
      4085: 'JPY',
      4088: 'CAD',
      4091: 'NOK',
      4097: 'XDR',
      4103: 'GBP',
      4106: 'CHF',
      4109: 'SEK',
    },
  ],
  [
    7,
    {
      29: 'CNY',
      31: 'PLN',
      35: 'NGN',
      36: 'TWD',
      37: 'KRW',
      38: 'SRD',
      39: 'AUD',
      40: 'NZD',
      41: 'HKD',
      42: 'HUF',
      43: 'ILS',
      44: 'ZAR',
      45: 'SGD',
      46: 'MXN',
      48: 'TRY',
      50: 'INR',
      52: 'CZK',
      53: 'BRL',
      74: 'THB',
      288: 'JMD',
      3503: 'SAR',
      19254: 'KWD',
    },
  ],
];

/** Central Bank of Iceland: the middle rate in krónur for one unit, in two groups of time series. */
export const feed: Feed = {
  key: 'SBI',
  backfillDays: STEP_DAYS,
  empty: 'a window without rates has series without entries',

  async *read(window, { http }) {
    for (const asked of stepsOf(window, STEP_DAYS)) {
      for (const [group, codes] of GROUPS) {
        const query = { DagsFra: asked.from, DagsTil: asked.to, GroupID: group, Type: 'xml' };
        const response = await http.get(ENDPOINT, { query });
        const series = xmlRoot(response, 'Group').all('TimeSeries');
        const read = series.filter((one) => codes[one.attribute('ID') ?? ''] !== undefined);
        if (read.length !== Object.keys(codes).length)
          throw new FeedError(`${response.url}: ${read.length} of ${Object.keys(codes).length} series`);
        const entries = read.flatMap((one) =>
          one
            .only('TimeSeriesData')
            .children.map((entry) => ({ base: codes[one.attribute('ID') ?? ''], entry })),
        );
        yield ratesFrom(response, asked, entries, ({ base, entry }) => ({
          date: parseDate(entry.text('Date'), 'M/D/YYYY'),
          base,
          quote: 'ISK',
          rate: numberOrMissing(entry.text('Value')),
        }));
      }
    }
  },
};
