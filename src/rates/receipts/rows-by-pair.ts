import type { RawTable } from '../sources/raw-table.js';

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
