import { isCurrency, lifetimeOf } from '../../core/domain/currencies.js';
import { addDays, type CalendarDate, isCalendarDate } from '../../core/domain/dates.js';
import { daysAheadOf, providerOf } from '../../core/domain/providers.js';
import type { RateRow } from './feed.js';

/**
 * Rates are from the inverse of this up to it. More than that no pair ever had: a US dollar was exchanged for 3.5e16 of
 * the last Zimbabwean dollars, an ounce of gold for a thousand times as many. And what is computed from rates within, such
 * as inverses, crosses, ratios and means, is far from the ends of a double.
 */
const MAX_RATE = 1e20;

/**
 * Why a row is not stored; `malformed` is a missing, non-finite or non-positive rate, or a date that is none, and
 * `out-of-bounds` a rate above 1e20 or below 1e-20.
 */
type DropReason =
  | 'unknown-currency'
  | 'malformed'
  | 'out-of-bounds'
  | 'future'
  | 'after-end'
  | 'before-start';

export interface Validated<Row> {
  rows: Row[];
  /** How many rows were dropped for each reason that occurred. */
  dropped: Partial<Record<DropReason, number>>;
}

/** Sorts out what can't be a rate of the provider; the one place where this is decided. */
export function validate<Row extends RateRow>(
  rows: Iterable<Row>,
  { today, provider }: { today: CalendarDate; provider: string },
): Validated<Row> {
  const last = addDays(today, daysAheadOf(provider));
  const beyondEnd = providerOf(provider)?.beyond_end ?? [];
  const kept: Row[] = [];
  const dropped: Partial<Record<DropReason, number>> = {};
  const dates = new Map<string, boolean>();
  const exists = (date: string) => {
    // Many rows have one date: whether it exists is looked into once.
    const known = dates.get(date) ?? isCalendarDate(date);
    dates.set(date, known);
    return known;
  };
  for (const row of rows) {
    const reason = faultOf(row, { last, exists, beyondEnd });
    if (reason) dropped[reason] = (dropped[reason] ?? 0) + 1;
    else kept.push(row);
  }
  return { rows: kept, dropped };
}

/** Whether a number can be a rate by its size. */
export function isWithinBounds(rate: number): boolean {
  return rate >= 1 / MAX_RATE && rate <= MAX_RATE;
}

interface Bounds {
  last: CalendarDate;
  exists: (date: string) => boolean;
  /** Currencies whose last day is not looked at. */
  beyondEnd: readonly string[];
}

function faultOf(
  { date, base, quote, rate }: RateRow,
  { last, exists, beyondEnd }: Bounds,
): DropReason | undefined {
  if (!(Number.isFinite(rate) && rate > 0) || !exists(date)) return 'malformed';
  if (!isWithinBounds(rate)) return 'out-of-bounds';
  if (date > last) return 'future';
  return faultOfCode(base, date, beyondEnd) ?? faultOfCode(quote, date, beyondEnd);
}

function faultOfCode(code: string, date: CalendarDate, beyondEnd: readonly string[]): DropReason | undefined {
  if (!isCurrency(code)) return 'unknown-currency';
  const { from, until } = lifetimeOf(code);
  if (until !== undefined && date >= until && !beyondEnd.includes(code)) return 'after-end';
  return from !== undefined && date < from ? 'before-start' : undefined;
}
