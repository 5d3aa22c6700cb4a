import { nextDayWith } from '../../core/database/suspects.js';
import type { Transaction } from '../../core/database/transactions.js';
import { type CarriedRows, type Series, WINDOW_DAYS } from '../../core/domain/blend/carry-forward.js';
import { toDollars } from '../../core/domain/blend/dollar-pivot.js';
import { type CalendarDate, dayNumber } from '../../core/domain/dates.js';

/** Of each series, the last day on which it is not known to be judged as it was. */
export type Touched = ReadonlyMap<Series, number>;

/** A day whose rates may be judged otherwise than before, and the series, as `PROVIDER BASE QUOTE`, that this is about. */
export interface Unsettled {
  date: CalendarDate;
  series: readonly string[];
}

/** The next day after a window whose rates may be judged otherwise because of it; undefined where there is none. */
export async function unsettledAfter(
  transaction: Transaction,
  last: CalendarDate,
  carried: CarriedRows,
  touched: Touched,
): Promise<Unsettled | undefined> {
  const unsettled = unsettledAt(dayNumber(last), touched);
  if (unsettled.length === 0) return undefined;
  const series = unsettled.map(({ key }) => key);
  const currencies = currenciesToldBy(new Set(unsettled), carried, touched);
  const date = await nextDayWith(transaction, last, { pairs: series, currencies });
  return date === undefined ? undefined : { date, series };
}

/**
 * The series of which later rates may be judged otherwise than before: all but those with a rate that is believed after
 * the last day on which anything differed, once nothing of that time can be reconsidered.
 */
function unsettledAt(day: number, touched: Touched): Series[] {
  return [...touched]
    .filter(([series, at]) => series.day <= at || day < at + WINDOW_DAYS)
    .map(([series]) => series);
}

/** The currencies of which one of the series gives the newest figure that is known. */
function currenciesToldBy(open: ReadonlySet<Series>, carried: CarriedRows, touched: Touched): string[] {
  const newest = new Map<string, number>();
  const told: { quote: string; day: number }[] = [];
  for (const series of carried.series.values()) {
    const quote = toDollars(series, series.rate, series.day)?.quote;
    if (quote === undefined) continue;
    const bridges: Series[] = series.bridges ? Object.values(series.bridges) : [];
    if (open.has(series) || bridges.some((bridge) => open.has(bridge)))
      told.push({ quote, day: Math.max(series.day, touched.get(series) ?? series.day) });
    else newest.set(quote, Math.max(series.day, newest.get(quote) ?? series.day));
  }
  const isNewest = ({ quote, day }: { quote: string; day: number }) => day >= (newest.get(quote) ?? day);
  return [...new Set(told.filter(isNewest).map(({ quote }) => quote))];
}
