import { nextDayWith } from '../../core/database/suspects.js';
import type { Transaction } from '../../core/database/transactions.js';
import { type CarriedRows, PIVOT, type Series, WINDOW_DAYS } from '../../core/domain/blend/carry-forward.js';
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
  const currencies = currenciesAffectedBy(new Set(unsettled), { carried, touched, last: dayNumber(last) });
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

/**
 * The currencies that a figure of these series affects, or affected before, as far as it still counts after the last day: one
 * of the 14 days before it, or the newest known. The bridge of a pair may itself be open: both currencies count.
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
