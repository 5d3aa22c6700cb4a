import { isCurrency, lifetimeOf } from '../../core/domain/currencies.js';
import { addDays, type CalendarDate, isCalendarDate } from '../../core/domain/dates.js';
import { daysAheadOf, providerOf } from '../../core/domain/providers.js';
import type { RateRow } from './feed.js';
import { type Counts, count } from './tally.js';

/**
 * The maximum rate; its inverse is the minimum. No pair ever exceeded it: a US dollar was exchanged for 3.5e16 of the last
 * Zimbabwean dollars, an ounce of gold for a thousand times as many.
 */
const MAX_RATE = 1e20;

export interface Validated<Row> {
  rows: Row[];
  /** Why the other rows are not stored. */
  dropped: Counts;
}

/** Drops what can't be a rate of the provider. The only place where this is decided. */
export function validate<Row extends RateRow>(
  rows: Iterable<Row>,
  { today, provider }: { today: CalendarDate; provider: string },
): Validated<Row> {
  const last = addDays(today, daysAheadOf(provider));
  const beyondEnd = providerOf(provider)?.beyond_end ?? [];
  const result: Validated<Row> = { rows: [], dropped: {} };
  for (const row of rows) {
    const reason =
      faultOfPrices(row) ??
      (row.date > last ? 'future' : undefined) ??
      faultOfCode(row.base, row.date, beyondEnd) ??
      faultOfCode(row.quote, row.date, beyondEnd);
    if (reason) count(result.dropped, reason);
    else result.rows.push(row);
  }
  return result;
}

/**
 * `malformed` is an invalid date or price, `out-of-bounds` a price above 1e20 or below 1e-20, `contradictory-sides` a rate that
 * is not between its buying and its selling price.
 */
function faultOfPrices({ date, rate, buy = rate, sell = rate }: RateRow): string | undefined {
  const [lowest, highest] = [Math.min(rate, buy, sell), Math.max(rate, buy, sell)];
  if (!(lowest > 0 && Number.isFinite(highest)) || !isCalendarDate(date)) return 'malformed';
  if (lowest < 1 / MAX_RATE || highest > MAX_RATE) return 'out-of-bounds';
  return rate < buy || rate > sell ? 'contradictory-sides' : undefined;
}

function faultOfCode(code: string, date: CalendarDate, beyondEnd: readonly string[]): string | undefined {
  if (!isCurrency(code)) return 'unknown-currency';
  const { from, until } = lifetimeOf(code);
  if (until !== undefined && date >= until && !beyondEnd.includes(code)) return 'after-end';
  return from !== undefined && date < from ? 'before-start' : undefined;
}
