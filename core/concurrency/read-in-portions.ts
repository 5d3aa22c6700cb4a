import type { YieldNow } from './event-loop.js';

const PORTION = 250;

/**
 * A long list, read some hundred rows at a time, with turns for others before each: a driver takes the rows of an answer
 * apart as they come in, which for ten thousand is tens of milliseconds. `read` gives the next rows after one, the first
 * ones without it; fewer than it was asked for where there are no more.
 */
export async function readInPortions<Row>(
  read: (limit: number, after: Row | undefined) => Promise<Row[]>,
  { limit, yieldNow }: { limit: number; yieldNow: YieldNow },
): Promise<Row[]> {
  const rows: Row[] = [];
  while (rows.length < limit) {
    await yieldNow('long step');
    const wanted = Math.min(PORTION, limit - rows.length);
    const portion = await read(wanted, rows.at(-1));
    for (const row of portion) rows.push(row);
    if (portion.length < wanted) break;
  }
  return rows;
}
