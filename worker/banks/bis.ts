import { Decimal } from 'decimal.js';
import { type CalendarDate, periodAround } from '../../core/domain/dates.js';
import { type Feed, FeedError, noData, ratesFrom, skipped } from '../feeds/feed.js';
import { csvRecords } from '../feeds/toolbox/csv.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { isNothingFound, NO_SDMX_RESULTS } from '../feeds/toolbox/not-found.js';
import { numberOf, numberOrMissing } from '../feeds/toolbox/numbers.js';
import { monthsOf, stepsOf } from '../feeds/toolbox/windows.js';

const SERIES = 'https://stats.bis.org/api/v2/data/dataflow/BIS/WS_XRU/1.0/M...E';
const STEP_DAYS = 3650;
const COLUMNS = [
  'FREQ',
  'REF_AREA',
  'CURRENCY',
  'COLLECTION',
  'TIME_PERIOD',
  'OBS_VALUE',
  'UNIT_MULT',
] as const;

/**
 * The area to read for a currency that several areas share. Members also have series of their own for the time before they
 * joined.
 */
const AREA: ReadonlyMap<string, string> = new Map([
  ['EUR', 'XM'],
  ['AUD', 'AU'],
  ['XOF', 'WA'],
  ['XAF', 'CM'],
  ['XCD', 'AG'],
]);

/** Labels that differ from the actual currency, from or before the end of a month. */
const RENAMED: readonly {
  label: string;
  from?: CalendarDate;
  before?: CalendarDate;
  code: string;
  units?: number;
}[] = [
  { label: 'EUR', before: '1999-01-04', code: 'XEU' },
  { label: 'SLL', code: 'SLE' },
  { label: 'VEF', from: '2019-06-30', code: 'VES' },
  { label: 'STD', from: '2018-01-31', code: 'STN', units: 1000 },
  { label: 'MRO', from: '2018-01-31', code: 'MRU', units: 10 },
  { label: 'ANG', from: '2025-03-31', code: 'XCG' },
];

/**
 * Bank for International Settlements: the price of a dollar at the end of each month, dated by its last day. Old months are
 * restated in today's units, and many currencies arrive months later.
 */
export const feed: Feed = {
  key: 'BIS',
  backfillDays: STEP_DAYS,
  correctionDays: 366,
  empty: 'a window without observations has the headings alone',
  unasked: 'no month ends in the window',

  async *read(window, { http }) {
    for (const step of stepsOf(window, STEP_DAYS)) {
      const ends = [...monthsOf(step)].map(({ last }) => last).filter((last) => last <= step.to);
      const [first, last] = [ends[0], ends.at(-1)];
      if (first === undefined || last === undefined) continue;
      const response = await http.get(SERIES, {
        query: { 'c[TIME_PERIOD]': `ge:${first.slice(0, 7)}+le:${last.slice(0, 7)}` },
        headers: { accept: 'application/vnd.sdmx.data+csv;version=1.0.0' },
        answers: [404],
      });
      if (isNothingFound(response, NO_SDMX_RESULTS)) {
        yield noData(response, '404 in the words of SDMX for a window without observations');
        continue;
      }
      const asked = { from: first, to: last, exact: true } as const;
      yield ratesFrom(response, asked, csvRecords(response, COLUMNS), (record) => {
        const { FREQ, REF_AREA, CURRENCY: label, COLLECTION, TIME_PERIOD, OBS_VALUE, UNIT_MULT } = record;
        if (FREQ !== 'M' || COLLECTION !== 'E') throw new FeedError('not the end of a month');
        if (label === 'USD') return skipped('the dollar itself');
        if ((AREA.get(label) ?? REF_AREA) !== REF_AREA) return skipped('another area of the same currency');
        const date = periodAround('month', parseDate(`${TIME_PERIOD}-01`, 'YYYY-MM-DD')).to;
        const value = numberOrMissing(OBS_VALUE, '.', ['NaN']);
        return {
          date,
          base: 'USD',
          ...meantBy(label, date),
          rate: value && new Decimal(value).times(new Decimal(10).pow(numberOf(UNIT_MULT))).toNumber(),
        };
      });
    }
  },
};

function meantBy(label: string, date: CalendarDate): { quote: string; units: number } {
  const renamed = RENAMED.find(
    ({ label: printed, from = date, before }) =>
      printed === label && date >= from && (before === undefined || date < before),
  );
  return { quote: renamed?.code ?? label, units: renamed?.units ?? 1 };
}
