import { firstFrom } from '../../../core/columns/columns.js';
import { type Blend, blendCarried } from '../../../core/domain/blend/blend.js';
import {
  type CarriedRows,
  eachObservationDate,
  type RawRow,
  seriesOf,
  WINDOW_DAYS,
} from '../../../core/domain/blend/carry-forward.js';
import { toDollars } from '../../../core/domain/blend/dollar-pivot.js';
import type { SuspicionReason } from '../../../core/domain/blend/suspicion.js';
import { type DayWindow, dayNumber, fromDayNumber } from '../../../core/domain/dates.js';
import type { RowSource } from '../snapshot/row.js';
import { type RawTable, rawRows } from './raw-table.js';

/** The blends of one observation date, as a day number. */
export interface DayBlends {
  readonly day: number;
  readonly blends: ReadonlyMap<string, Blend>;
  /** The suspect rates that the blends leave out, by quote. */
  readonly suspects: ReadonlyMap<string, readonly Share[]>;
}

/** A provider's rate in units of the quote per dollar. */
export type Share = Omit<RowSource, 'published'>;

interface SuspectRow {
  row: RawRow;
  day: number;
  reason: SuspicionReason;
}

/** Generates the blends of the wanted days in a window. The table must also have the 14 days before. */
export function* blendsOn(
  table: RawTable,
  { from, to }: DayWindow,
  isWanted: (day: number) => boolean = () => true,
): Generator<DayBlends> {
  const suspects = new Map<string, SuspectRow>();
  const rows = countedRows(table, from - WINDOW_DAYS, to, (suspect) => {
    const { provider, base, quote } = suspect.row;
    suspects.set(`${provider} ${base} ${quote}`, suspect);
  });
  const window = { from: fromDayNumber(from), to: fromDayNumber(to) };
  for (const { date, carried } of eachObservationDate(rows, window)) {
    const day = dayNumber(date);
    if (!isWanted(day)) continue;
    const blends = new Map(blendCarried(carried, day).map((blend) => [blend.quote, blend]));
    yield { day, blends, suspects: suspectShares(suspects, carried, day) };
  }
}

/** Generates the rows of a table without those left out of blends. Calls `leftOut` with the latter. */
export function* countedRows(
  table: RawTable,
  from: number,
  to: number,
  leftOut: (suspect: SuspectRow) => void = () => {},
): Generator<RawRow> {
  let index = firstFrom(table.days, from);
  for (const row of rawRows(table, from, to)) {
    const reason = table.leftOut.get(index);
    index++;
    if (reason) leftOut({ row, day: dayNumber(row.date), reason });
    else yield row;
  }
}

/** The suspect rates that a day's blends would have counted, as no newer row of the pair has replaced them. */
function suspectShares(
  suspects: ReadonlyMap<string, SuspectRow>,
  carried: CarriedRows,
  today: number,
): Map<string, Share[]> {
  const shares = new Map<string, Share[]>();
  for (const { row, day, reason } of suspects.values()) {
    const { provider, base, quote, rate } = row;
    if (day > today || day < today - WINDOW_DAYS) continue;
    const series = seriesOf(carried, provider, base, quote);
    const dollars = series.day < day ? toDollars(series, rate, today) : undefined;
    if (!dollars) continue;
    const share = { key: provider, day, rate: dollars.rate, excluded: false, suspect: reason };
    shares.set(dollars.quote, [...(shares.get(dollars.quote) ?? []), share]);
  }
  return shares;
}

/** The days whose raw rows and blends are behind the newest rates. `asOf` is the newest of these days. */
export function windowOfNewest(asOf: number): { readFrom: number; from: number } {
  return { readFrom: asOf - 3 * WINDOW_DAYS, from: asOf - 2 * WINDOW_DAYS };
}
