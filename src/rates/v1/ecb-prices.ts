import { type Columns, firstFrom, lastUpTo, rateAt } from '../../../core/columns/columns.js';
import { WINDOW_DAYS } from '../../../core/domain/blend/carry-forward.js';
import { roundForDisplay, roundForStorage } from '../../../core/domain/rounding.js';

// The euro reference rates of the ECB are columns per euro, by the days on which it published.
export const EURO = 'EUR';

/** The requested rates of the ECB. */
export interface EcbRequest {
  amount: number;
  base: string;
  /** Undefined for all. */
  symbols: readonly string[] | undefined;
}

/** Prices by currency, sorted by code, without the base. */
export type Prices = Record<string, number>;

/** Returns the index of the last day of publication up to a day and at most 14 days before it; -1 if there is none. */
export function lastPublication({ days }: Columns, day: number): number {
  const index = lastUpTo(days, day);
  return (days[index] ?? Number.NEGATIVE_INFINITY) < day - WINDOW_DAYS ? -1 : index;
}

/** The currencies, including the euro, that were quoted in the 14 days up to the newest day. */
export function newestCurrencies({ days, byQuote }: Columns): string[] {
  const since = firstFrom(days, (days.at(-1) ?? 0) - WINDOW_DAYS);
  return [...byQuote].flatMap(([code, column]) => {
    const isQuoted = days.subarray(since).some((_, offset) => !Number.isNaN(rateAt(column, since + offset)));
    return isQuoted ? code : [];
  });
}

/**
 * Returns the prices of an amount of the base on the day of an index; undefined if the base was not quoted. For one euro,
 * prices have the bank's own digits; otherwise they are amount x rate / rate of the base, rounded once, for display.
 */
export function pricesOn(
  { byQuote }: Columns,
  dayIndex: number,
  { amount, base, symbols }: EcbRequest,
): Prices | undefined {
  const baseColumn = byQuote.get(base);
  const divisor = baseColumn ? rateAt(baseColumn, dayIndex) : Number.NaN;
  if (Number.isNaN(divisor)) return undefined;
  const isPublished = base === EURO && amount === 1;
  const prices: Prices = {};
  for (const [code, column] of byQuote) {
    const rate = rateAt(column, dayIndex);
    if (code === base || Number.isNaN(rate) || (symbols && !symbols.includes(code))) continue;
    prices[code] = isPublished ? roundForStorage(rate) : roundForDisplay((amount * rate) / divisor);
  }
  return prices;
}
