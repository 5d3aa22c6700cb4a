import { type Feed, FeedError } from '../feeds/feed.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { numberOrMissing } from '../feeds/toolbox/numbers.js';
import { stepsOf } from '../feeds/toolbox/windows.js';
import { xmlRoot } from '../feeds/toolbox/xml.js';

const URL = 'https://sedlabanki.is/xmltimeseries/Default.aspx';
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

  async *rows(window, { http }) {
    for (const { from, to } of stepsOf(window, STEP_DAYS)) {
      for (const [group, codes] of GROUPS) {
        const answer = await http.get(URL, {
          query: { DagsFra: from, DagsTil: to, GroupID: group, Type: 'xml' },
        });
        const series = xmlRoot(answer, 'Group').all('TimeSeries');
        if (series.length === 0) throw new FeedError(`${answer.url}: a group without series`);
        for (const one of series) {
          const base = codes[one.attribute('ID') ?? ''];
          if (!base) continue;
          for (const entry of one.all('TimeSeriesData/Entry')) {
            const [day, rate] = [entry.text('Date'), numberOrMissing(entry.text('Value'))];
            if (day && rate) yield { date: parseDate(day, 'M/D/YYYY'), base, quote: 'ISK', rate };
          }
        }
      }
    }
  },
};
