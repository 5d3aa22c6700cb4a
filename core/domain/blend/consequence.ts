import { addDays, type CalendarDate, type DateRange } from '../dates.js';
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
  for (const change of changes.sort(bySize))
    if (!largest.has(change.quote)) largest.set(change.quote, change);
  const [from, to] = [days[0], days.at(-1)];
  return {
    days: days.length,
    range: from !== undefined && to !== undefined ? { from, to } : null,
    currencies: largest.size,
    largest: [...largest.values()].slice(0, MOST_LISTED),
  };
}

function changesBetween(before: readonly DollarRate[], after: readonly DollarRate[]): BlendChange[] {
  const keyOf = ({ quote, date }: Pick<DollarRate, 'quote' | 'date'>) => `${quote} ${date}`;
  const known = new Map(before.map((blend) => [keyOf(blend), blend.rate]));
  const fresh = new Map(after.map((blend) => [keyOf(blend), blend.rate]));
  const newestUpTo = (rates: typeof known, { quote, date }: DollarRate): number | null => {
    for (let back = 0; back <= WINDOW_DAYS; back++) {
      const rate = rates.get(keyOf({ quote, date: addDays(date, -back) }));
      if (rate !== undefined) return rate;
    }
    return null;
  };
  return [...new Map([...before, ...after].map((blend) => [keyOf(blend), blend]))]
    .filter(([key]) => known.get(key) !== fresh.get(key))
    .map(([, blend]) => ({
      ...{ quote: blend.quote, date: blend.date },
      ...{ before: newestUpTo(known, blend), after: newestUpTo(fresh, blend) },
    }));
}

/** Largest first, whether up or down. Changes without a blend before or after come last. */
function bySize(one: BlendChange, other: BlendChange): number {
  const [size, otherSize] = [one, other].map(({ before, after }) =>
    before === null || after === null ? -1 : Math.abs(Math.log(after / before)),
  ) as [number, number];
  return otherSize - size || (one.quote + one.date < other.quote + other.date ? -1 : 1);
}
