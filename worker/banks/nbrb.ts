import * as z from 'zod';
import { daysBetween } from '../../core/domain/dates.js';
import { type Feed, FeedError, noRate, ratesFrom, type Window } from '../feeds/feed.js';
import { dateOrNone, parseDate } from '../feeds/toolbox/dates.js';
import { parseJson } from '../feeds/toolbox/json.js';
import { repeatedOnWeekends } from '../feeds/toolbox/repeated-weekends.js';
import { stepsOf } from '../feeds/toolbox/windows.js';

const API = 'https://api.nbrb.by/exrates';
const STEP_DAYS = 365;
/** A later window contains no currency that has ended since. */
const RECENT_DAYS = 31;

const currency = { Cur_ID: z.number(), Cur_Abbreviation: z.string(), Cur_Scale: z.number().positive() };
const today = z.array(z.object(currency)).min(1);
const day = z.string().regex(/^\d{4}-\d\d-\d\dT/);
const everyCurrency = z.array(
  z.object({ ...currency, Cur_Periodicity: z.number(), Cur_DateStart: day, Cur_DateEnd: day }),
);
const officialRates = z.array(
  z.object({ Cur_ID: z.number(), Date: z.string(), Cur_OfficialRate: z.number() }),
);
type Series = z.infer<typeof today>[number];

/**
 * National Bank of the Republic of Belarus: roubles for a stated number of units, one series per currency. Every calendar
 * day is listed. Weekends repeat Friday, as the bank sets no rates on them, and are left out. A currency whose name or
 * nominal changed continues under a new ID, so its older days have IDs that are no longer in today's list.
 */
export const feed: Feed = {
  key: 'NBRB',
  reading: 2,
  currencyByCurrency: true,
  backfillDays: STEP_DAYS,
  // The first day of the present rouble. Earlier figures are in a rouble worth 10,000 times less.
  firstDay: '2016-07-01',
  empty: 'a series has only the days on which its currency was quoted',

  async *read(window, { http, navigation, today: now }) {
    const current = await navigation.get(`${API}/rates`, { query: { periodicity: 0 } });
    const series: Series[] = parseJson(current, today);
    // A currency that ended in the last days was read while it was still quoted.
    if (daysBetween(window.from, now) > RECENT_DAYS) {
      const known = new Set(series.map(({ Cur_ID }) => Cur_ID));
      const all = parseJson(await navigation.get(`${API}/currencies`), everyCurrency);
      series.push(...all.filter((entry) => !known.has(entry.Cur_ID) && wasQuoted(entry, window)));
    }
    for (const { Cur_ID: id, Cur_Abbreviation: base, Cur_Scale: units } of series) {
      for (const asked of stepsOf(window, STEP_DAYS)) {
        const query = { startDate: asked.from, endDate: asked.to };
        const response = await http.get(`${API}/rates/dynamics/${id}`, { query });
        const rates = parseJson(response, officialRates);
        const other = rates.find(({ Cur_ID }) => Cur_ID !== id);
        if (other) throw new FeedError(`${response.url}: answers for the id ${other.Cur_ID}`);
        const repeated = repeatedOnWeekends(
          rates.flatMap(({ Date: inForce, Cur_OfficialRate: price }) => {
            const date = dateOrNone(inForce, 'YYYY-MM-DD');
            return date === undefined ? [] : [{ date, code: base, price }];
          }),
        );
        yield ratesFrom(response, asked, rates, ({ Date: inForce, Cur_OfficialRate: rate }) => {
          const date = parseDate(inForce, 'YYYY-MM-DD');
          if (repeated.has(`${date} ${base}`)) return noRate('a weekend repeats the day before');
          return { date, base, quote: 'BYN', rate, units };
        });
      }
    }
  },
};

function wasQuoted(entry: z.infer<typeof everyCurrency>[number], { from, to }: Window): boolean {
  const [start, end] = [entry.Cur_DateStart, entry.Cur_DateEnd].map((day) => parseDate(day, 'YYYY-MM-DD'));
  return entry.Cur_Periodicity === 0 && (start ?? '') <= to && (end ?? '') >= from;
}
