import { type Feed, FeedError, ratesFrom, skipped } from '../feeds/feed.js';
import { csvRecords } from '../feeds/toolbox/csv.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { numberOf, numberOrMissing } from '../feeds/toolbox/numbers.js';
import { stepsOf } from '../feeds/toolbox/windows.js';

const ENDPOINT = 'https://api.statistiken.bundesbank.de/rest/data/BBEX3/D..DEM.AA.AC.000';
/** Every row repeats a long comment, so five years take some twenty megabytes. */
const STEP_DAYS = 1826;
const MAX_BYTES = 64 * 1024 * 1024;

const UNITS: ReadonlyMap<string, number> = new Map([
  ...forUnits(1, 'CAD GBP IEP USD'),
  ...forUnits(100, 'ATS BEF CHF DKK ESP FIM FRF JPY LUF NLG NOK PTE SEK'),
  ...forUnits(1000, 'ITL'),
]);

const COLUMNS = [
  'BBK_STD_FREQ',
  'BBK_STD_CURRENCY',
  'BBK_ERX_PARTNER_CURRENCY',
  'TIME_PERIOD',
  'OBS_VALUE',
  'BBK_TITLE',
] as const;

/**
 * Deutsche Bundesbank: the Frankfurt fixings of 1948 to 1998, an archive. The middle rate in Deutsche Mark for a stated
 * number of units. The francs before 1960 are old francs, as published.
 */
export const feed: Feed = {
  key: 'BBK',
  empty: 'a window without quotations has the headings alone',
  backfillDays: STEP_DAYS,
  lastDay: '1998-12-30',

  async *read(window, { http }) {
    for (const asked of stepsOf(window, STEP_DAYS)) {
      const query = { format: 'sdmx_csv', startPeriod: asked.from, endPeriod: asked.to };
      const response = await http.get(ENDPOINT, { query, maxBytes: MAX_BYTES });
      yield ratesFrom(response, asked, csvRecords(response, COLUMNS, { separator: ';' }), (record) => {
        if (record.BBK_STD_FREQ !== 'D' || record.BBK_ERX_PARTNER_CURRENCY !== 'DEM')
          return skipped('not a daily rate in Deutsche Mark');
        return {
          date: parseDate(record.TIME_PERIOD, 'YYYY-MM-DD'),
          base: record.BBK_STD_CURRENCY,
          quote: 'DEM',
          rate: numberOrMissing(record.OBS_VALUE, '.', ['.']),
          units: unitsOf(record.BBK_STD_CURRENCY, record.BBK_TITLE),
        };
      });
    }
  },
};

/** The number of units of the rate, which only the title states: `… / 1 000 ITL = ... DEM / Italien`. */
function unitsOf(currency: string, title: string): number {
  const known = UNITS.get(currency);
  if (known === undefined) throw new FeedError(`the units of ${currency} are not known: "${title}"`);
  const printed = /\/\s*(\d[\d\s]{0,9})\s[A-Z]{3}\s*=/.exec(title)?.[1];
  if (printed !== undefined && numberOf(printed.replace(/\s/g, '')) !== known) {
    throw new FeedError(`${currency} is for ${printed} units, not ${known}: "${title}"`);
  }
  return known;
}

function forUnits(count: number, currencies: string): [string, number][] {
  return currencies.split(' ').map((currency) => [currency, count]);
}
