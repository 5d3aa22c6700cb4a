import type { RawRow } from '../../../core/domain/blend/carry-forward.js';
import type { SuspicionReason } from '../../../core/domain/blend/suspicion.js';
import { fromDayNumber } from '../../../core/domain/dates.js';
import type { RawTable } from '../sources/raw-table.js';
import type { PairRows, RowsByPair } from '../sources/rows-by-pair.js';

/** A row that the rate of a currency may be made of. */
export interface ProvenanceRow extends RawRow {
  /** The currency. */
  for: string;
  recordedAt: Date;
  /** The run that recorded it; null where that is not known. */
  run: number | null;
  /** Why it is left out of blends as suspect; null where it is not. */
  suspicion: SuspicionReason | null;
}

/** A currency whose rate is wanted, and the days whose rows count, as day numbers, both included. */
export interface WantedCurrency {
  currency: string;
  from: number;
  to: number;
}

interface RowsBehindOptions {
  /** The currency that pairs are converted through. */
  pivot: string;
  /** Only the rows of these providers; undefined for all. One provider's rates are all its rows. */
  providers: readonly string[] | undefined;
}

/**
 * The newest rows that the rates of currencies per unit of the pivot may be made of: for each currency those of all pairs
 * that name it, and those by which the same provider brings the other currencies of these pairs to the pivot; of several
 * providers, only pairs that are brought to it so. Of a pair these are the newest that is not suspect, and the newest of
 * the suspect ones after it. The table has all rows of these days that may count, with their records.
 */
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
  // Two pairs of a provider may be brought to the pivot by the same one.
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

/** Of a pair's rows between two days the newest that is not suspect, and the newest of those after it. */
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

function rowAt(
  { days, rates, providers, bases, quotes, names, leftOut, records }: RawTable,
  index: number,
): Omit<ProvenanceRow, 'for'> {
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
