import * as z from 'zod';
import type { CalendarDate } from '../../core/domain/dates.js';
import { type Feed, FeedError, ratesFrom, skipped } from '../feeds/feed.js';
import { parseWholeJson } from '../feeds/toolbox/json.js';
import { monthsOf } from '../feeds/toolbox/windows.js';

const ENDPOINT = 'https://ec.europa.eu/budg/inforeuro/api/public/monthly-rates';
/** The list of January 1999 is dated three days before the euro, and is in ECU. */
const FIRST_IN_EURO: CalendarDate = '1999-02-01';

const schema = z
  .array(z.object({ isoA3Code: z.string().regex(/^[A-Z]{3}$/), value: z.number().nullable() }))
  .min(1);

/** The European Commission's accounting rates: units for one euro, formerly one ECU, one list per month. */
export const feed: Feed = {
  key: 'INFOREURO',
  pauseMs: 100,
  backfillDays: 365,
  correctionDays: 31,
  firstDay: '1994-03-01',
  unasked: 'no month begins in the window',

  async *read(window, { http, today }) {
    for (const { year, month, first } of monthsOf(window)) {
      if (first < window.from || first > today) continue;
      const response = await http.get(ENDPOINT, { query: { lang: 'en', month, year } });
      const values = new Map<string, number | null>();
      for (const { isoA3Code, value } of parseWholeJson(response, schema)) {
        if (values.has(isoA3Code) && values.get(isoA3Code) !== value)
          throw new FeedError(`${response.url}: ${isoA3Code} is both ${values.get(isoA3Code)} and ${value}`);
        values.set(isoA3Code, value);
      }
      const base = first < FIRST_IN_EURO ? 'XEU' : 'EUR';
      yield ratesFrom(response, { from: first, to: first }, values, ([code, value]) =>
        code === 'EUR' || code === 'XEU'
          ? skipped('the euro itself')
          : {
              date: first,
              base,
              quote: codeOf(code, first),
              rate: value !== null && value > 0 ? value : undefined,
            },
      );
    }
  },
};

function codeOf(label: string, month: CalendarDate): string {
  if (label === 'ZIG') return 'ZWG';
  if (label === 'FRC') return 'CDF';
  // The code of the kwanza of 1977, with the figure of the new one.
  if (label === 'AOK' && (month === '2000-01-01' || month === '2000-02-01')) return 'AOA';
  return label;
}
