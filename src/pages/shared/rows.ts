/** A row of `/v2/rates`, as far as pages use it. */
export interface RateRow {
  date: string;
  base: string;
  quote: string;
  rate: number;
  providers?: readonly { key: string; date: string; rate: number; excluded?: boolean; suspect?: boolean }[];
  stats?: { low: number | null; high: number | null };
}

/** The lowest and highest rate of rows, and the day of each; undefined without rows. */
export function extremesOf(rows: readonly RateRow[]): { low: RateRow; high: RateRow } | undefined {
  const [first] = rows;
  if (!first) return undefined;
  let [low, high] = [first, first];
  for (const row of rows) {
    if (row.rate < low.rate) low = row;
    if (row.rate > high.rate) high = row;
  }
  return { low, high };
}

const FIVE = 5;

/** The rows that a span shows of those that were read for it: of five days, the last five that have rates. */
export function shownOf<T extends { date: string }>(rows: readonly T[], span: string): readonly T[] {
  return span === '5d' ? rows.slice(-FIVE) : rows;
}
