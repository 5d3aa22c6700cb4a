import { addDays, type CalendarDate } from '../dates.js';
import type { DateRange } from '../periods.js';
import type { DollarRate } from './apply-pegs.js';
import { WINDOW_DAYS } from './carry-forward.js';

/**
 * A changed blend of a currency per dollar, and what it replaces. Where the day has no blend, the newest of the 14 days before;
 * null if there is none.
 */
export interface BlendChange {
  quote: string;
  date: CalendarDate;
  before: number | null;
  after: number | null;
}

/** What a decision changes in the daily blends. */
export interface Consequence {
  /** The number of days with a changed blend. */
  days: number;
  /** The first and the last of them; null if there are none. */
  range: DateRange | null;
  /** The number of currencies with a changed blend. */
  currencies: number;
  /** For each currency its largest relative change; at most ten, largest first. */
  largest: readonly BlendChange[];
}

const MOST_LISTED = 10;

/** Compares all blends from 14 days before the first changed one to the last. */
export function consequenceOf(before: readonly DollarRate[], after: readonly DollarRate[]): Consequence {
  const changes = changesBetween(before, after);
  const days = [...new Set(changes.map(({ date }) => date))].sort();
  const largest = new Map<string, BlendChange>();
  for (const change of changes.toSorted(byDate)) {
    const known = largest.get(change.quote);
    if (known === undefined || relativeChange(change) > relativeChange(known))
      largest.set(change.quote, change);
  }
  const [from, to] = [days[0], days.at(-1)];
  return {
    days: days.length,
    range: from !== undefined && to !== undefined ? { from, to } : null,
    currencies: largest.size,
    largest: [...largest.values()].toSorted(byRelativeChange).slice(0, MOST_LISTED),
  };
}

function changesBetween(before: readonly DollarRate[], after: readonly DollarRate[]): BlendChange[] {
  const [known, fresh] = [ratesByQuote(before), ratesByQuote(after)];
  return [...new Set([...known.keys(), ...fresh.keys()])].flatMap((quote) => {
    const [old, now] = [known.get(quote) ?? new Map(), fresh.get(quote) ?? new Map()];
    return [...new Set([...old.keys(), ...now.keys()])]
      .filter((date) => old.get(date) !== now.get(date))
      .map((date) => ({ quote, date, before: newestUpTo(old, date), after: newestUpTo(now, date) }));
  });
}

type RatesByDate = Map<CalendarDate, number>;

function ratesByQuote(blends: readonly DollarRate[]): Map<string, RatesByDate> {
  const all = new Map<string, RatesByDate>();
  for (const { quote, date, rate } of blends) {
    const rates = all.get(quote) ?? new Map();
    all.set(quote, rates.set(date, rate));
  }
  return all;
}

function newestUpTo(rates: RatesByDate, date: CalendarDate): number | null {
  for (let back = 0; back < WINDOW_DAYS; back++) {
    const rate = rates.get(addDays(date, -back));
    if (rate !== undefined) return rate;
  }
  return null;
}

/** How far it moved, upwards or downwards alike; -1 for the first or the last blend of a currency. */
function relativeChange({ before, after }: BlendChange): number {
  return before === null || after === null ? -1 : Math.abs(Math.log(after / before));
}

function byRelativeChange(one: BlendChange, other: BlendChange): number {
  return relativeChange(other) - relativeChange(one) || (one.quote < other.quote ? -1 : 1);
}

function byDate({ date: one }: BlendChange, { date: other }: BlendChange): number {
  return one < other ? -1 : 1;
}
