import type { RawTable } from './raw-table.js';

/** The rows of a provider's pair, by their indices in the table, oldest first. Names are given by their numbers. */
export interface PairRows {
  readonly provider: number;
  readonly base: number;
  readonly quote: number;
  readonly indices: readonly number[];
}

/** The rows of a table by the pairs that they are of. */
export interface RowsByPair {
  readonly table: RawTable;
  /** The pairs that have a currency as base or quote. */
  withCurrency(currency: number): readonly PairRows[];
  of(provider: number, base: number, quote: number): PairRows | undefined;
}

const known = new WeakMap<RawTable, RowsByPair>();

/** The rows of a table by pair; of a table that is kept, they are found once. */
export function rowsByPair(table: RawTable): RowsByPair {
  const rows = known.get(table) ?? findPairs(table);
  known.set(table, rows);
  return rows;
}

function findPairs(table: RawTable): RowsByPair {
  const pairs = new Map<number, PairRows & { indices: number[] }>();
  const byCurrency = new Map<number, PairRows[]>();
  const register = (currency: number, pair: PairRows) => {
    const known = byCurrency.get(currency);
    if (known) known.push(pair);
    else byCurrency.set(currency, [pair]);
  };
  for (let index = 0; index < table.days.length; index++) {
    const provider = table.providers[index] ?? 0;
    const base = table.bases[index] ?? 0;
    const quote = table.quotes[index] ?? 0;
    const number = numberOf(provider, base, quote);
    const known = pairs.get(number);
    if (known) {
      known.indices.push(index);
      continue;
    }
    const pair = { provider, base, quote, indices: [index] };
    pairs.set(number, pair);
    register(base, pair);
    register(quote, pair);
  }
  return {
    table,
    withCurrency: (currency) => byCurrency.get(currency) ?? [],
    of: (provider, base, quote) => pairs.get(numberOf(provider, base, quote)),
  };
}

/** One number for three of sixteen bits, which a double holds exactly. */
function numberOf(provider: number, base: number, quote: number): number {
  return (provider * 65_536 + base) * 65_536 + quote;
}
