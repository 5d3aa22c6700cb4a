import { isCurrency, lifetimeOf } from '../../core/domain/currencies.js';
import { addDays, type CalendarDate, isCalendarDate } from '../../core/domain/dates.js';
import { daysAheadOf, providerOf } from '../../core/domain/providers.js';
import type { RateRow } from './feed.js';

/**
 * The maximum rate; its inverse is the minimum. No pair ever exceeded it: a US dollar was exchanged for 3.5e16 of the last
 * Zimbabwean dollars, an ounce of gold for a thousand times as many.
 */
const MAX_RATE = 1e20;

/**
 * Why a row is not stored. `malformed` is an invalid date or price, `out-of-bounds` a price above 1e20 or below 1e-20,
 * `contradictory-sides` a rate that is not between its buying and its selling price.
 */
type DropReason =
  | 'unknown-currency'
  | 'malformed'
  | 'out-of-bounds'
  | 'contradictory-sides'
  | 'future'
  | 'after-end'
  | 'before-start';

export interface Validated<Row> {
  rows: Row[];
  dropped: Partial<Record<DropReason, number>>;
}

/** Drops what can't be a rate of the provider. The only place where this is decided. */
export function validate<Row extends RateRow>(
  rows: Iterable<Row>,
  { today, provider }: { today: CalendarDate; provider: string },
): Validated<Row> {
  const last = addDays(today, daysAheadOf(provider));
  const beyondEnd = providerOf(provider)?.beyond_end ?? [];
  const kept: Row[] = [];
  const dropped: Partial<Record<DropReason, number>> = {};
  const faultOf = ({ date, base, quote, rate, buy = rate, sell = rate }: Row): DropReason | undefined => {
    const [lowest, highest] = [Math.min(rate, buy, sell), Math.max(rate, buy, sell)];
    if (!(lowest > 0 && Number.isFinite(highest)) || !isCalendarDate(date)) return 'malformed';
    if (lowest < 1 / MAX_RATE || highest > MAX_RATE) return 'out-of-bounds';
    if (rate < buy || rate > sell) return 'contradictory-sides';
    if (date > last) return 'future';
    return faultOfCode(base, date, beyondEnd) ?? faultOfCode(quote, date, beyondEnd);
  };
  for (const row of rows) {
    const reason = faultOf(row);
    if (reason) dropped[reason] = (dropped[reason] ?? 0) + 1;
    else kept.push(row);
  }
  return { rows: kept, dropped };
}

function faultOfCode(code: string, date: CalendarDate, beyondEnd: readonly string[]): DropReason | undefined {
  if (!isCurrency(code)) return 'unknown-currency';
  const { from, until } = lifetimeOf(code);
  if (until !== undefined && date >= until && !beyondEnd.includes(code)) return 'after-end';
  return from !== undefined && date < from ? 'before-start' : undefined;
}
