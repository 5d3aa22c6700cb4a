import { firstFrom } from '../../../core/columns/columns.js';
import { type Blend, blendDollars } from '../../../core/domain/blend/blend.js';
import {
  createCarriedRows,
  observe,
  type Series,
  seriesOf,
  WINDOW_DAYS,
} from '../../../core/domain/blend/carry-forward.js';
import { inDollars, toDollars } from '../../../core/domain/blend/dollar-pivot.js';
import type { SuspicionReason } from '../../../core/domain/blend/suspicion.js';
import type { DayWindow } from '../../../core/domain/dates.js';
import type { RowSource } from '../snapshot/row.js';
import type { RawTable } from './raw-table.js';

/** The blends of one observation date, as a day number. */
export interface DayBlends {
  readonly day: number;
  readonly blends: ReadonlyMap<string, Blend>;
  /** The suspect rates that the blends leave out, by quote. */
  readonly suspects: ReadonlyMap<string, readonly Share[]>;
}

/** A provider's rate in units of the quote per dollar. */
export type Share = Omit<RowSource, 'published'>;

interface SuspectRate {
  day: number;
  rate: number;
  reason: SuspicionReason;
}

/** Generates the blends of the wanted days in a window. The table must also have the 14 days before. */
export function* blendsOn(
  table: RawTable,
  { from, to }: DayWindow,
  isWanted: (day: number) => boolean = () => true,
): Generator<DayBlends> {
  const { days, rates, providers, bases, quotes, names, leftOut } = table;
  const nameOf = (number = 0) => names[number] ?? '';
  const carried = createCarriedRows();
  /** The newest of each series. */
  const suspects = new Map<Series, SuspectRate>();
  const end = firstFrom(days, to + 1);
  let newest = Number.NaN;
  for (let index = firstFrom(days, from - WINDOW_DAYS); index < end; index++) {
    const [day = 0, rate = Number.NaN] = [days[index], rates[index]];
    const pair = [nameOf(providers[index]), nameOf(bases[index]), nameOf(quotes[index])] as const;
    const series = seriesOf(carried, ...pair);
    const reason = leftOut.get(index);
    if (reason) suspects.set(series, { day, rate, reason });
    else {
      observe(series, day, rate);
      newest = day;
    }
    if (days[index + 1] === day || newest !== day || day < from || !isWanted(day)) continue;
    const blends = new Map(blendDollars(inDollars(carried, day)).map((blend) => [blend.quote, blend]));
    yield { day, blends, suspects: suspectShares(suspects, day) };
  }
}

/** The suspect rates that a day's blends would have counted, as no newer row of the pair has replaced them. */
function suspectShares(suspects: ReadonlyMap<Series, SuspectRate>, today: number): Map<string, Share[]> {
  const shares = new Map<string, Share[]>();
  for (const [series, { day, rate, reason }] of suspects) {
    if (day < today - WINDOW_DAYS || series.day >= day) continue;
    const dollars = toDollars(series, rate, today);
    if (!dollars) continue;
    const share = { key: series.provider, day, rate: dollars.rate, excluded: false, suspect: reason };
    shares.set(dollars.quote, [...(shares.get(dollars.quote) ?? []), share]);
  }
  return shares;
}

/** The days whose raw rows and blends are behind the newest rates. `asOf` is the newest of these days. */
export function windowOfNewest(asOf: number): { readFrom: number; from: number } {
  return { readFrom: asOf - 3 * WINDOW_DAYS, from: asOf - 2 * WINDOW_DAYS };
}
