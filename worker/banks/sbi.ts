import { type Feed, FeedError, ratesFrom } from '../feeds/feed.js';
import { codeTable } from '../feeds/toolbox/code-table.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { numberOrMissing } from '../feeds/toolbox/numbers.js';
import { stepsOf } from '../feeds/toolbox/windows.js';
import { xmlRoot } from '../feeds/toolbox/xml.js';

const ENDPOINT = 'https://sedlabanki.is/xmltimeseries/Default.aspx';
const STEP_DAYS = 365;

/** The series of middle rates, by group. Buying and selling rates, and former currencies, are not read. */
const GROUPS = [
  [
    9,
    codeTable(`
      USD 4055, DKK 4061, EUR 4064, JPY 4085, CAD 4088, NOK 4091, XDR 4097, GBP 4103, CHF 4106, SEK 4109`),
  ],
  [
    7,
    codeTable(`
      CNY 29, PLN 31, NGN 35, TWD 36, KRW 37, SRD 38, AUD 39, NZD 40, HKD 41, HUF 42, ILS 43, ZAR 44,
      SGD 45, MXN 46, TRY 48, INR 50, CZK 52, BRL 53, THB 74, JMD 288, SAR 3503, KWD 19254`),
  ],
] as const;

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
        const read = series.filter((one) => codes.has(one.attribute('ID') ?? ''));
        if (read.length !== codes.size)
          throw new FeedError(`${response.url}: ${read.length} of ${codes.size} series (TimeSeries, by ID)`);
        const entries = read.flatMap((one) =>
          one
            .only('TimeSeriesData')
            .children.map((entry) => ({ base: codes.get(one.attribute('ID') ?? ''), entry })),
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
