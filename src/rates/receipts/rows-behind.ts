import type { RawRow } from '../../../core/domain/blend/carry-forward.js';
import type { SuspicionReason } from '../../../core/domain/blend/suspicion.js';
import { fromDayNumber } from '../../../core/domain/dates.js';
import type { DayWindow } from '../../../core/domain/periods.js';
import type { Side } from '../../../core/domain/sides.js';
import type { RawTable } from '../sources/raw-table.js';
import type { PairRows, RowsByPair } from './rows-by-pair.js';

export interface ProvenanceRow extends RawRow {
  for: string;
  /** The side that its rate is; undefined for the rate itself. */
  side?: Side | undefined;
  recordedAt: Date;
  /** The run that recorded it; null if that is unknown. */
  run: number | null;
  /** Why it is left out of blends as suspect; null if it is not. */
  suspicion: SuspicionReason | null;
}

/** A currency whose rate is wanted, and the days whose rows count. */
export interface WantedCurrency extends DayWindow {
  readonly currency: string;
}

interface RowsBehindOptions {
  /** The currency that pairs are converted through. */
  pivot: string;
  /** Only the rows of these providers; undefined for all. All rows of a single provider are its rates. */
  providers: readonly string[] | undefined;
}

/** Finds the rows of each currency's pairs, and those with which the provider converts these to the pivot. */
// With several providers, only pairs that can be converted count. Of each pair, these are the newest row that is not
// suspect, and the newest suspect one after it. The table must contain all rows of these days, with records.
export function rowsBehind(
  rows: RowsByPair,
  wanted: readonly WantedCurrency[],
  options: RowsBehindOptions,
): ProvenanceRow[] {
  return wanted.flatMap((each) => {
    const { currency } = each;
    return indicesBehind(rows, each, options).map((index) => ({
      for: currency,
      ...rowAt(rows.table, index),
    }));
  });
}

function indicesBehind(
  rows: RowsByPair,
  { currency, from, to }: WantedCurrency,
  { pivot, providers }: RowsBehindOptions,
): number[] {
  const newestOf = (pair: PairRows | undefined) => (pair ? newestRows(rows.table, pair, from, to) : []);
  // Two pairs of a provider may be converted to the pivot by the same one.
  const behind = new Set<number>();
  for (const pair of rows.withCurrency(currency)) {
    const { provider, base, quote } = pair;
    const own = newestOf(pair);
    if (own.length === 0 || providers?.includes(provider) === false) continue;
    const other = base === currency ? quote : base;
    const bridges = [rows.of(provider, pivot, other), rows.of(provider, other, pivot)].flatMap(newestOf);
    if (other !== pivot && bridges.length === 0 && providers?.length !== 1) continue;
    for (const index of [...own, ...bridges]) behind.add(index);
  }
  return [...behind];
}

/** Returns the newest row of a pair between two days that is not suspect, and the newest suspect one after it. */
function newestRows({ days, leftOut }: RawTable, { indices }: PairRows, from: number, to: number): number[] {
  const newest: number[] = [];
  for (let at = indices.length - 1; at >= 0; at--) {
    const index = indices[at] ?? 0;
    const day = days[index] ?? 0;
    if (day > to) continue;
    if (day < from) break;
    if (!leftOut.has(index)) return [...newest, index];
    if (newest.length === 0) newest.push(index);
  }
  return newest;
}

function rowAt({ days, rates, providers, bases, quotes, names, leftOut, records }: RawTable, index: number) {
  if (!records) throw new Error('the rows were read without their records');
  const name = (number: number | undefined) => names[number ?? 0] ?? '';
  const run = records.runs[index] ?? 0;
  return {
    provider: name(providers[index]),
    date: fromDayNumber(days[index] ?? 0),
    base: name(bases[index]),
    quote: name(quotes[index]),
    rate: rates[index] ?? Number.NaN,
    recordedAt: new Date(records.at[index] ?? 0),
    run: run === 0 ? null : run,
    suspicion: leftOut.get(index) ?? null,
  };
}
