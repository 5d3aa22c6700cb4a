import type pg from 'pg';
import { type Bank, keyOf } from './banks.js';

interface Stored {
  provider: string;
  date: string;
  base: string;
  quote: string;
  rate: number;
}

/**
 * Compares every stored row and the recorded corrections with what the banks published. Returns what is wrong: rows or
 * corrections that were lost or doubled, rows whose rate is not the newest, and ingests that are still marked as running.
 */
export async function findInconsistencies(
  db: Pick<pg.ClientBase, 'query'>,
  banks: readonly Bank[],
): Promise<string[]> {
  const { rows } = await db.query<Stored>(
    'select provider, date::text as date, base, quote, rate from rates',
  );
  const running = await db.query(`select 1 from ingest_runs where outcome = 'running'`);
  const counts = new Map([['ingests unfinished', running.rowCount ?? 0]]);
  const count = (what: string, number: number) => counts.set(what, (counts.get(what) ?? 0) + number);
  for (const { key, rows: published, corrected } of banks) {
    const stored = new Map(rows.filter(({ provider }) => provider === key).map((row) => [keyOf(row), row]));
    for (const [name, { rate }] of published) {
      const found = stored.get(name);
      if (!found) count('rows lost', 1);
      else if (found.rate !== rate) count('rows wrong', 1);
    }
    count('rows doubled', [...stored.keys()].filter((name) => !published.has(name)).length);
    const revisions = await countOf(db, 'rate_revisions', key);
    count('corrections lost', Math.max(0, corrected - revisions));
    count('corrections doubled', Math.max(0, revisions - corrected));
  }
  return [...counts].filter(([, number]) => number > 0).map(([what, number]) => `${what}: ${number}`);
}

/** How many rows of a provider a table has. */
export async function countOf(
  db: Pick<pg.ClientBase, 'query'>,
  table: 'rates' | 'rate_revisions',
  provider: string,
): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::int as count from ${table} where provider = $1`,
    [provider],
  );
  return rows[0]?.count ?? 0;
}
