import type { RawRow } from '../../../core/domain/blend/carry-forward.js';
import type { SuspicionReason } from '../../../core/domain/blend/suspicion.js';
import { fromDayNumber } from '../../../core/domain/dates.js';
import type { RawTable } from '../raw/raw-table.js';
import { lastUpTo } from '../snapshot/columns.js';

/** A row that the rate of a currency may be made of. */
export interface RowBehind extends RawRow {
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
 * providers, only pairs that are brought to it so. Of a pair the newest that is suspect and the newest that is not. The
 * table has all rows of these days that may count, with their records.
 */
export function rowsBehind(
  table: RawTable,
  wanted: readonly WantedCurrency[],
  options: RowsBehindOptions,
): RowBehind[] {
  return wanted.flatMap((each) => {
    const { currency } = each;
    return indicesBehind(table, each, options).map((index) => ({ for: currency, ...rowAt(table, index) }));
  });
}

function indicesBehind(
  table: RawTable,
  { currency, from, to }: WantedCurrency,
  { pivot, providers }: RowsBehindOptions,
): number[] {
  const { providers: keys, bases, quotes, names } = table;
  const [code, pivotCode] = [names.indexOf(currency), names.indexOf(pivot)];
  const wantedKeys = providers && new Set(providers.map((key) => names.indexOf(key)));
  const isOf = (index: number) => wantedKeys === undefined || wantedKeys.has(keys[index] ?? -1);
  const hasCode = (index: number, wanted: number) => bases[index] === wanted || quotes[index] === wanted;
  /** A row's provider, with the currency that it gives besides one of its two. */
  const otherThan = (index: number, one: number) =>
    numberOf(keys[index], bases[index] === one ? quotes[index] : bases[index]);

  const window = { from, to };
  const named = newestRows(table, window, (index) => hasCode(index, code) && isOf(index));
  const others = new Set(named.map((index) => otherThan(index, code)));
  const bridges = newestRows(
    table,
    window,
    (index) => hasCode(index, pivotCode) && !hasCode(index, code) && others.has(otherThan(index, pivotCode)),
  );
  if (providers?.length === 1) return [...named, ...bridges];
  const bridged = new Set(bridges.map((index) => otherThan(index, pivotCode)));
  const reachesPivot = (index: number) => hasCode(index, pivotCode) || bridged.has(otherThan(index, code));
  return [...named.filter(reachesPivot), ...bridges];
}

/** Of each pair of a provider the newest of the wanted rows, and the newest of those that are suspect. */
function newestRows(
  { days, providers, bases, quotes, leftOut }: RawTable,
  { from, to }: { from: number; to: number },
  isWanted: (index: number) => boolean,
): number[] {
  const newest: number[] = [];
  const seen = { believed: new Set<number>(), suspect: new Set<number>() };
  for (let index = lastUpTo(days, to); index >= 0 && (days[index] ?? from) >= from; index--) {
    if (!isWanted(index)) continue;
    const pair = numberOf(providers[index], bases[index], quotes[index]);
    const known = leftOut.has(index) ? seen.suspect : seen.believed;
    if (known.has(pair)) continue;
    known.add(pair);
    newest.push(index);
  }
  return newest;
}

/** One number for two or three of sixteen bits, which a double holds exactly. */
function numberOf(...numbers: readonly (number | undefined)[]): number {
  return numbers.reduce<number>((all, number = 0) => all * 65_536 + number, 0);
}

function rowAt(
  { days, rates, providers, bases, quotes, names, leftOut, records }: RawTable,
  index: number,
): Omit<RowBehind, 'for'> {
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
