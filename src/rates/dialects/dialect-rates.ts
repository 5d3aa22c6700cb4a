import { type Clock, today as todayIn } from '../../../core/domain/clock.js';
import { isCurrency } from '../../../core/domain/currencies.js';
import {
  type CalendarDate,
  dayNumber,
  earlier,
  fromDayNumber,
  MILLISECONDS_PER_DAY,
} from '../../../core/domain/dates.js';
import type { Ground, Knowledge } from '../engine/knowledge.js';
import { rowsByDate } from '../engine/make-rows.js';
import { type ResolvedRequest, resolveRequest } from '../engine/request.js';
import type { DatedRows, Row } from '../snapshot/row.js';

/** The requested rates of a base. */
export interface Wanted {
  /** In upper case. The currency may not exist. */
  base: string;
  /** The only currencies wanted, in upper case; unknown codes are ignored. Undefined for all. */
  symbols: readonly string[] | undefined;
}

/** The rates of a day; undefined for the newest. */
export type WantedDay = Wanted & { date: CalendarDate | undefined };

/** The rates of each day of a range, both ends included. */
export type WantedRange = Wanted & { from: CalendarDate; to: CalendarDate };

/** The most days of a range. */
export const MOST_DAYS = 366;

/** The rates found for a base. */
export interface Found {
  /** Why there are no rates at all: the base has none on the requested days, or no currency has. */
  missing: 'base' | 'day' | undefined;
}

/** Rates of one day, sorted by code. They include that of the base unless the symbols leave it out. */
export interface DayRates extends Found {
  /** The requested day; for the newest rates, that of the newest observation. */
  date: CalendarDate;
  /** Seconds since 1970. */
  timestamp: number;
  rates: readonly Row[];
}

/** Rates by day, in order, without days that have none. */
export interface RangeRates extends Found {
  days: readonly { date: CalendarDate; rates: readonly Row[] }[];
}

/** Reads blended rates, all of one data version. */
export interface RatesReader {
  /** The newest row of each currency in the 14 days up to the day. */
  ofDay(wanted: WantedDay): Promise<DayRates>;
  /** The rows of each day up to today, UTC, with values carried forward for 14 days. */
  ofRange(wanted: WantedRange): Promise<RangeRates>;
}

/** Resolves to a request for rates. A range ends today at the latest; one that begins later becomes today alone. */
export function requestFor(wanted: WantedDay | WantedRange, clock: Clock): ResolvedRequest {
  const { base, symbols } = wanted;
  const known = symbols?.filter(isCurrency);
  // The row of the base shows whether it has rates.
  const selection = { base, quotes: known && [...new Set([...known, base])], precision: 'full' as const };
  if ('date' in wanted) return resolveRequest({ ...selection, date: wanted.date }, clock);
  const to = earlier(wanted.to, todayIn(clock));
  return resolveRequest({ ...selection, from: earlier(wanted.from, to), to, fill: 'forward' }, clock);
}

/** Creates a reader of the known rates. */
export function createRatesReader(knowledge: Knowledge, ground: Ground): RatesReader {
  const source = knowledge.sourceOf(undefined);

  async function read(
    wanted: WantedDay | WantedRange,
  ): Promise<{ dates: DatedRows[]; asOf?: number | undefined }> {
    const found = await source.rows(requestFor(wanted, ground.clock), ground);
    return { dates: await rowsByDate(found), asOf: found.asOf };
  }

  async function missingIn(dates: readonly DatedRows[], wanted: WantedDay | WantedRange) {
    if (dates.length > 0) return undefined;
    const others = await read({ ...wanted, base: 'EUR', symbols: [] });
    return others.dates.length > 0 ? 'base' : 'day';
  }

  return {
    async ofDay(wanted) {
      const { dates, asOf = knowledge.today } = await read(wanted);
      const rows = dates.flatMap(({ rows }) => rows).sort((one, other) => (one.quote < other.quote ? -1 : 1));
      const date = wanted.date ?? fromDayNumber(asOf);
      const newest = await knowledge.newestDay(ground);
      return {
        date,
        timestamp: timestampOf(wanted.date, knowledge, newest ?? knowledge.today),
        rates: shownOf(rows, wanted),
        missing: await missingIn(dates, wanted),
      };
    },
    async ofRange(wanted) {
      if (wanted.from > fromDayNumber(knowledge.today) || wanted.from > wanted.to)
        return { days: [], missing: 'day' };
      const { dates } = await read(wanted);
      const days = dates.map(({ day, rows }) => ({ date: fromDayNumber(day), rates: shownOf(rows, wanted) }));
      return { days: days.filter(({ rates }) => rates.length > 0), missing: await missingIn(dates, wanted) };
    },
  };
}

function shownOf(rows: readonly Row[], { base, symbols }: Wanted): readonly Row[] {
  return symbols && !symbols.includes(base) ? rows.filter(({ quote }) => quote !== base) : rows;
}

/** Whether the response contains the instant at which rates were stored, which changes with any rates. */
export function isTimed(wanted: WantedDay | WantedRange, today: CalendarDate): boolean {
  return 'date' in wanted && (wanted.date === undefined || wanted.date >= today);
}

/**
 * When the rates were made, in seconds since 1970. For a past day it is the last second of that day. For other days it is
 * when the rates were stored, but at most the last second of the newest observation.
 */
function timestampOf(date: CalendarDate | undefined, { today, knownAt }: Knowledge, newest: number): number {
  const day = date === undefined ? today : dayNumber(date);
  if (day < today) return lastSecondOf(day);
  return Math.min(Math.floor(knownAt / 1000), lastSecondOf(newest));
}

function lastSecondOf(day: number): number {
  return ((day + 1) * MILLISECONDS_PER_DAY) / 1000 - 1;
}
