import { WINDOW_DAYS } from '../../../core/domain/blend/carry-forward.js';
import { isCurrency } from '../../../core/domain/currencies.js';
import {
  type CalendarDate,
  type Clock,
  dayNumber,
  earlier,
  fromDayNumber,
  today as todayIn,
} from '../../../core/domain/dates.js';
import type { HttpError } from '../../http/errors.js';
import type { RatesContext, RatesView } from '../engine/rates-view.js';
import { type ResolvedRequest, resolveRequest } from '../engine/request.js';
import { carriedIndex } from '../snapshot/pair.js';
import { type Row, rowsByDate } from '../snapshot/row.js';

export interface Wanted {
  /** In upper case. The currency may not exist. */
  base: string;
  /** The only currencies wanted, in upper case; unknown codes are ignored. Absent for all. */
  symbols?: readonly string[] | undefined;
}

/** The rates of a day; absent for the newest. */
export type WantedDay = Wanted & { date?: CalendarDate | undefined };

/** The rates of each day of a range, both ends included. */
export type WantedRange = Wanted & {
  from: CalendarDate;
  to: CalendarDate;
  /** The only provider, whose rates are not carried forward. Absent for the blend. */
  provider?: string | undefined;
};

export const MOST_DAYS = 366;

/** Rates of one day, sorted by code. They include that of the base unless the symbols leave it out. */
export interface DayRates {
  /** The requested day; for the newest rates, that of the newest observation. */
  date: CalendarDate;
  /** Seconds since 1970. */
  timestamp: number;
  rates: readonly Row[];
}

/** Rates by day, in order, without days that have none. */
export type RangeRates = readonly Pick<DayRates, 'date' | 'rates'>[];

/** The error for no rates at all: the base has none on the requested days, or no currency has. */
export type Missing = (what: 'base' | 'day', base: string) => HttpError;

export type RatesReader = ReturnType<typeof createRatesReader>;

const SECONDS_PER_DAY = 86_400;
/** About 2,000 rows of the blend, which take about a millisecond. */
const DAYS_AT_ONCE = 10;

/** Resolves to a request for rates. A range ends today at the latest; one that begins later becomes today alone. */
export function requestFor(wanted: WantedDay | WantedRange, clock: Clock): ResolvedRequest {
  const { base, symbols } = wanted;
  const known = symbols?.filter(isCurrency);
  // The row of the base shows whether it has rates.
  const selection = { base, quotes: known && [...new Set([...known, base])], precision: 'full' as const };
  if (!('from' in wanted)) return resolveRequest({ ...selection, date: wanted.date }, clock);
  const to = earlier(wanted.to, todayIn(clock));
  const { provider } = wanted;
  const source = provider === undefined ? { fill: 'forward' as const } : { providers: [provider] };
  return resolveRequest({ ...selection, from: earlier(wanted.from, to), to, ...source }, clock);
}

/** Reads rates, all of one data version. If there are none, throws the error of `missing`, if given. */
export function createRatesReader(view: RatesView, context: RatesContext) {
  const sourceFor = (provider?: string) => view.sourceOf(provider === undefined ? undefined : [provider]);
  const read = async (wanted: WantedDay | WantedRange) => {
    const source = sourceFor('from' in wanted ? wanted.provider : undefined);
    const { rows, newest } = await source.rows(requestFor(wanted, context.clock), context);
    return { dates: await rowsByDate(rows), newest };
  };
  const readSome = async (wanted: WantedDay | WantedRange, missing?: Missing) => {
    const found = await read(wanted);
    if (found.dates.length > 0 || !missing) return found;
    const others = await read({ ...wanted, base: 'EUR', symbols: [] });
    throw missing(others.dates.length > 0 ? 'base' : 'day', wanted.base);
  };
  return {
    /** The newest row of each currency in the 14 days up to the day. */
    async ofDay(wanted: WantedDay, missing?: Missing): Promise<DayRates> {
      const { dates, newest: found = view.today } = await readSome(wanted, missing);
      const rows = dates.flatMap(({ rows }) => rows).sort((one, other) => (one.quote < other.quote ? -1 : 1));
      const newest = (await view.newestDay(context)) ?? view.today;
      return {
        date: wanted.date ?? fromDayNumber(found),
        timestamp: timestampOf(wanted.date, view, newest),
        rates: shownOf(rows, wanted),
      };
    },
    /** The rows of each day up to today, UTC, with values carried forward for 14 days. */
    async ofRange(wanted: WantedRange, missing: Missing): Promise<RangeRates> {
      const last = earlier(wanted.to, fromDayNumber(view.today));
      if (wanted.from > last) throw missing('day', wanted.base);
      const { dates } = await readSome(wanted, missing);
      const days = dates.map(({ day, rows }) => ({ date: fromDayNumber(day), rates: shownOf(rows, wanted) }));
      return days.filter(({ rates }) => rates.length > 0);
    },
    /** The same from the newest day on, without the base. They are read as they are taken, so that a long body begins at once. */
    async *newestFirst(wanted: WantedRange, missing: Missing): AsyncGenerator<RangeRates[number], void> {
      const first = dayNumber(wanted.from);
      const newest = wanted.provider === undefined ? await view.newestDay(context) : undefined;
      const last = Math.min(dayNumber(wanted.to), view.today, newest ?? view.today);
      let isEmpty = true;
      for (let to = last; to >= first; to -= DAYS_AT_ONCE) {
        const from = Math.max(first, to - DAYS_AT_ONCE + 1);
        const window = { ...wanted, from: fromDayNumber(from), to: fromDayNumber(to) };
        for (const { day, rows } of (await read(window)).dates.reverse()) {
          const rates = rows.filter(({ quote }) => quote !== wanted.base);
          if (rates.length === 0) continue;
          isEmpty = false;
          yield { date: fromDayNumber(day), rates };
        }
      }
      if (isEmpty) throw missing('day', wanted.base);
    },
    /** The currencies with a rate on any day of the range, or in the 14 days before it if values are carried forward. */
    async currenciesIn({ base, from, to, provider }: WantedRange): Promise<string[]> {
      const days = { from: dayNumber(from), to: dayNumber(to) };
      const columns = (await sourceFor(provider).ratesOn(days, context)).columnsFor(base);
      const length = days.to - days.from + (provider === undefined ? WINDOW_DAYS : 0);
      return [...columns.byQuote.keys()].filter((code) => carriedIndex(columns, code, days.to, length) >= 0);
    },
  };
}

function shownOf(rows: readonly Row[], { base, symbols }: Wanted): readonly Row[] {
  return symbols && !symbols.includes(base) ? rows.filter(({ quote }) => quote !== base) : rows;
}

/** Whether the response contains the instant at which rates were stored, which changes with any rates. */
export function isTimed(wanted: WantedDay | WantedRange, today: CalendarDate): boolean {
  return !('from' in wanted) && (wanted.date === undefined || wanted.date >= today);
}

/** In seconds since 1970: the last second of a past day; else when rates were stored, at most that of `newest`. */
function timestampOf(date: CalendarDate | undefined, { today, knownAt }: RatesView, newest: number): number {
  const day = date === undefined ? today : dayNumber(date);
  if (day < today) return lastSecondOf(day);
  return Math.min(Math.floor(knownAt / 1000), lastSecondOf(newest));
}

function lastSecondOf(day: number): number {
  return (day + 1) * SECONDS_PER_DAY - 1;
}
