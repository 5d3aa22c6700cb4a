import { PIVOT, type RawRow } from '../../core/domain/blend/carry-forward.js';
import { lifetimeOf } from '../../core/domain/currencies.js';
import { addDays, type CalendarDate, dayNumber, later } from '../../core/domain/dates.js';
import { inForce, pegs } from '../../core/domain/pegs.js';

/** Providers that must have published on the last day. */
export const MIN_PROVIDERS = 10;
/** Currencies that must be current on it. The recordings are of different months, and no day has all currencies. */
export const MIN_CURRENCIES = 161;
/** A currency is current for as many days after its last rate. */
const CURRENT_DAYS = 30;
/** Days kept of a pair whose rates all end before the days kept of the others. */
export const OLD_PAIR_DAYS = 31;

/**
 * The last day on which enough providers published, and enough currencies are current: published in the 30 days up to it,
 * or pegged to one that was, and not retired.
 */
export function lastRichDay(
  rows: Iterable<Pick<RawRow, 'provider' | 'date' | 'base' | 'quote'>>,
  { minProviders = MIN_PROVIDERS, minCurrencies = MIN_CURRENCIES } = {},
): CalendarDate | undefined {
  const days = groupDays(rows);
  return [...days.keys()]
    .sort()
    .findLast(
      (date) =>
        (days.get(date)?.providers.size ?? 0) >= minProviders && countCurrent(days, date) >= minCurrencies,
    );
}

interface Published {
  providers: Set<string>;
  currencies: Set<string>;
}

function groupDays(
  rows: Iterable<Pick<RawRow, 'provider' | 'date' | 'base' | 'quote'>>,
): Map<CalendarDate, Published> {
  const days = new Map<CalendarDate, Published>();
  for (const { provider, date, base, quote } of rows) {
    const day = days.get(date) ?? { providers: new Set(), currencies: new Set() };
    days.set(date, day);
    day.providers.add(provider);
    day.currencies.add(base).add(quote);
  }
  return days;
}

function countCurrent(days: ReadonlyMap<CalendarDate, Published>, date: CalendarDate): number {
  const current = new Set<string>();
  for (let age = 0; age <= CURRENT_DAYS; age++) {
    for (const code of days.get(addDays(date, -age))?.currencies ?? []) current.add(code);
  }
  const day = dayNumber(date);
  for (const peg of pegs) if (current.has(peg.base) && inForce(peg)(day)) current.add(peg.quote);
  return [...current].filter((code) => (lifetimeOf(code).until ?? '9999-12-31') > date).length;
}

/**
 * The recorded rows that ship, up to the last day:
 *
 * - all of the last days, from `from` on;
 * - of a pair that has none of them, its own last 31 days.
 *
 * With a rate to another currency than the dollar goes what the same provider says of the dollar on that day, without
 * which it can't be blended.
 */
export function selectBootstrapRows(
  rows: readonly RawRow[],
  from: CalendarDate,
  end: CalendarDate,
): RawRow[] {
  const candidates = rows.filter(({ date }) => date <= end);
  const isEnd = endsOf(candidates, from);
  const kept = new Set(candidates.filter((row) => row.date >= from || isEnd(row)));
  const bridged = [...kept].filter((row) => !isOfDollar(row));
  const days = new Set(bridged.map(({ provider, date }) => `${provider} ${date}`));
  return candidates.filter(
    (row) => kept.has(row) || (isOfDollar(row) && days.has(`${row.provider} ${row.date}`)),
  );
}

function isOfDollar({ base, quote }: RawRow): boolean {
  return base === PIVOT || quote === PIVOT;
}

/** Whether a row is among the last days of a pair that ends before `from`. */
function endsOf(rows: readonly RawRow[], from: CalendarDate): (row: RawRow) => boolean {
  const newest = new Map<string, CalendarDate>();
  for (const row of rows) newest.set(pairOf(row), later(newest.get(pairOf(row)) ?? row.date, row.date));
  const firsts = new Map([...newest].map(([pair, date]) => [pair, addDays(date, 1 - OLD_PAIR_DAYS)]));
  return (row) => (newest.get(pairOf(row)) ?? from) < from && row.date >= (firsts.get(pairOf(row)) ?? from);
}

function pairOf({ provider, base, quote }: RawRow): string {
  return `${provider} ${base} ${quote}`;
}
