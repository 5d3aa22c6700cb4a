import { nextDayWith } from '../../core/database/suspects.js';
import type { Transaction } from '../../core/database/transactions.js';
import { type CarriedRows, PIVOT, type Series, WINDOW_DAYS } from '../../core/domain/blend/carry-forward.js';
import { toDollars } from '../../core/domain/blend/dollar-pivot.js';
import { type CalendarDate, dayNumber } from '../../core/domain/dates.js';

/** For each series, the last day whose judgement may differ from before. */
type Touched = ReadonlyMap<Series, number>;

/**
 * The next day after a window whose rates may be judged differently because of it, and the series, as `PROVIDER BASE QUOTE`,
 * that may cause that. Undefined if there is none.
 */
export async function dirtySeriesAfter(
  transaction: Transaction,
  last: CalendarDate,
  carried: CarriedRows,
  touched: Touched,
) {
  const day = dayNumber(last);
  // Those without a trusted rate since the last day that differed, or of which rates can be reconsidered.
  const unsettled = [...touched]
    .filter(([series, at]) => series.day <= at || day < at + WINDOW_DAYS)
    .map(([series]) => series);
  if (unsettled.length === 0) return undefined;
  const series = unsettled.map(({ key }) => key);
  const currencies = currenciesAffectedBy(new Set(unsettled), { carried, touched, last: day });
  const date = await nextDayWith(transaction, last, { pairs: series, currencies });
  return date === undefined ? undefined : { date, series };
}

/**
 * The currencies that figures of these series affect, or affected, as far as these still count after the last day: those of
 * the 14 days before it, or the newest known. If a pair's bridge is unsettled, both of its currencies count.
 */
function currenciesAffectedBy(
  open: ReadonlySet<Series>,
  { carried, touched, last }: { carried: CarriedRows; touched: Touched; last: number },
): string[] {
  const newest = new Map<string, number>();
  const affected: { currency: string; day: number }[] = [];
  for (const series of carried.series.values()) {
    const { base, quote, day, rate } = series;
    const bridges: Series[] = series.bridges ? Object.values(series.bridges) : [];
    if ([series, ...bridges].some((one) => open.has(one))) {
      const until = Math.max(day, touched.get(series) ?? day);
      affected.push({ currency: base, day: until }, { currency: quote, day: until });
    } else {
      const currency = toDollars(series, rate, day)?.quote ?? PIVOT;
      newest.set(currency, Math.max(day, newest.get(currency) ?? day));
    }
  }
  const counts = ({ currency, day }: { currency: string; day: number }) =>
    currency !== PIVOT && (day + WINDOW_DAYS > last || day >= (newest.get(currency) ?? day));
  return [...new Set(affected.filter(counts).map(({ currency }) => currency))];
}
