import { type Columns, firstFrom, lastUpTo, rateAt } from '../../../core/columns/columns.js';
import { WINDOW_DAYS } from '../../../core/domain/blend/carry-forward.js';
import { fromDayNumber } from '../../../core/domain/dates.js';
import { roundForDisplay, roundForStorage } from '../../../core/domain/rounding.js';
import type { ProviderRates } from '../sources/provider-rates.js';

/** What is asked of the ECB's rates. */
export interface EcbRequest {
  amount: number;
  base: string;
  /** Undefined for all. */
  symbols: readonly string[] | undefined;
}

/** Prices by currency, sorted by code, without the base. */
export type Prices = Record<string, number>;

/** The euro reference rates of the ECB, by the days on which it published. */
export interface EcbDays {
  readonly days: Int32Array;
  /** Index of the last day of publication up to a day and at most 14 days before it; -1 where there is none. */
  lastUpTo(day: number): number;
  /** What an amount of the base costs on the day of an index; undefined where the base was not quoted. */
  pricesOn(dayIndex: number, request: EcbRequest): Prices | undefined;
  /** The currencies, the euro included, that were quoted in the 14 days up to the newest day. */
  newestCurrencies(): string[];
}

const EURO = 'EUR';

export function ecbDaysOf(rates: Pick<ProviderRates, 'columnsFor'>): EcbDays {
  const columns = rates.columnsFor(EURO);
  const { days, byQuote } = columns;
  return {
    days,
    lastUpTo(day) {
      const index = lastUpTo(days, day);
      return (days[index] ?? Number.NEGATIVE_INFINITY) < day - WINDOW_DAYS ? -1 : index;
    },
    pricesOn: (dayIndex, request) => pricesOn(columns, dayIndex, request),
    newestCurrencies() {
      const since = firstFrom(days, (days.at(-1) ?? 0) - WINDOW_DAYS);
      return [...byQuote.keys()].filter((code) => isQuoted(columns, code, since));
    },
  };
}

function isQuoted({ byQuote, days }: Columns, code: string, since: number): boolean {
  const column = byQuote.get(code);
  for (let index = since; column && index < days.length; index++) {
    if (!Number.isNaN(rateAt(column, index))) return true;
  }
  return false;
}

/** In the bank's own digits for one euro; else amount x rate / rate of the base, rounded once, for display. */
function pricesOn(
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

/** The date of a day of publication. */
export function dateOn({ days }: EcbDays, dayIndex: number): string {
  return fromDayNumber(days[dayIndex] ?? 0);
}
