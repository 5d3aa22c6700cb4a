import { PIVOT, type RawRow } from '../../../core/domain/blend/carry-forward.js';
import type { SuspicionReason } from '../../../core/domain/blend/suspicion.js';
import { type DayWindow, fromDayNumber } from '../../../core/domain/dates.js';
import type { Side } from '../../../core/domain/sides.js';
import { type RawTable, rawRow } from '../sources/raw-table.js';

export interface ProvenanceRow extends RawRow {
  for: string;
  /** The side that its rate is; undefined for the rate itself. */
  side?: Side | undefined;
  recordedAt: Date;
  /** The run that recorded it; null if that is unknown. */
  run: number | null;
  /** Why it is left out of blends as suspect; undefined if it is not. */
  suspect?: SuspicionReason | undefined;
}

/** A currency whose rate is wanted, and the days whose rows count. */
export interface WantedCurrency extends DayWindow {
  readonly currency: string;
}

/** Finds the rows of each currency's pairs, and those with which the provider converts these to dollars. */
// Only pairs that can be converted count. Of each pair, these are the newest row that is not suspect, and the newest
// suspect one after it. The table must contain all rows of these days, with records. `providers` is undefined for all.
export function rowsBehind(
  rows: RowsByPair,
  wanted: readonly WantedCurrency[],
  providers: readonly string[] | undefined,
): ProvenanceRow[] {
  return wanted.flatMap(({ currency, from, to }) => {
    const newestOf = (pair: PairRows | undefined) => (pair ? newestRows(rows.table, pair, from, to) : []);
    // Two pairs of a provider may be converted to dollars by the same one.
    const behind = new Set<number>();
    for (const pair of rows.withCurrency(currency)) {
      const { provider, base, quote } = pair;
      if (providers?.includes(provider) === false) continue;
      const other = base === currency ? quote : base;
      const own = newestOf(pair);
      const bridges = [rows.of(provider, PIVOT, other), rows.of(provider, other, PIVOT)].flatMap(newestOf);
      if (own.length === 0 || (other !== PIVOT && bridges.length === 0)) continue;
      for (const index of [...own, ...bridges]) behind.add(index);
    }
    return Array.from(behind, (index) => ({ for: currency, ...rowAt(rows.table, index) }));
  });
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

/** Throws an error if the table was read without records. */
export function rowAt(table: RawTable, index: number) {
  const { days, leftOut, records } = table;
  if (!records) throw new Error('the rows were read without their records');
  const run = records.runs[index] ?? 0;
  return {
    ...rawRow(table, index, fromDayNumber(days[index] ?? 0)),
    recordedAt: new Date(records.at[index] ?? 0),
    run: run === 0 ? null : run,
    suspect: leftOut.get(index),
  };
}

/** The rows of a provider's pair, by their indices in the table, oldest first. */
export interface PairRows {
  readonly provider: string;
  readonly base: string;
  readonly quote: string;
  readonly indices: readonly number[];
}

export type RowsByPair = ReturnType<typeof findPairs>;

const known = new WeakMap<RawTable, RowsByPair>();

/** Returns the rows of a table by pair. They are computed once per table. */
export function rowsByPair(table: RawTable): RowsByPair {
  const rows = known.get(table) ?? findPairs(table);
  known.set(table, rows);
  return rows;
}

function findPairs(table: RawTable) {
  const { names } = table;
  const numbers = new Map(names.map((name, number) => [name, number]));
  const pairs = new Map<number, PairRows & { indices: number[] }>();
  const byCurrency = new Map<string, PairRows[]>();
  for (let index = 0; index < table.days.length; index++) {
    const codes = [table.providers[index] ?? 0, table.bases[index] ?? 0, table.quotes[index] ?? 0];
    const pair = pairs.get(numberOf(codes));
    if (pair) {
      pair.indices.push(index);
      continue;
    }
    const [provider = '', base = '', quote = ''] = codes.map((code) => names[code] ?? '');
    const begun = { provider, base, quote, indices: [index] };
    pairs.set(numberOf(codes), begun);
    for (const code of [base, quote]) byCurrency.set(code, [...(byCurrency.get(code) ?? []), begun]);
  }
  return {
    table,
    withCurrency: (currency: string): readonly PairRows[] => byCurrency.get(currency) ?? [],
    of: (...pair: [provider: string, base: string, quote: string]): PairRows | undefined =>
      pairs.get(numberOf(pair.map((name) => numbers.get(name) ?? names.length))),
  };
}

/** Combines three 16-bit numbers into one, which a double represents exactly. */
function numberOf([provider = 0, base = 0, quote = 0]: readonly number[]): number {
  return (provider * 65_536 + base) * 65_536 + quote;
}
