import type pg from 'pg';
import { type Bank, keyOf } from './banks.js';

/** Differences between the stored rows and what the banks published, as counts. All must be 0. */
export interface Consistency {
  /** Published rows or corrections that are not stored. */
  lost: number;
  /** Rows that no bank published, and corrections recorded more often than they were made. */
  doubled: number;
  /** Rows whose rate is not the newest published one. */
  wrong: number;
  /** Ingest runs still marked as running. */
  unfinished: number;
}

interface Stored {
  provider: string;
  date: string;
  base: string;
  quote: string;
  rate: number;
}

/** Compares every stored row and the recorded corrections with what the banks published. */
export async function checkConsistency(
  db: Pick<pg.ClientBase, 'query'>,
  banks: readonly Bank[],
): Promise<Consistency> {
  const consistency: Consistency = { lost: 0, doubled: 0, wrong: 0, unfinished: 0 };
  const { rows } = await db.query<Stored>(
    'select provider, date::text as date, base, quote, rate from rates',
  );
  for (const bank of banks) {
    const stored = rows.filter(({ provider }) => provider === bank.key);
    const known = new Map(stored.map((row) => [keyOf(row), row.rate]));
    for (const [name, { rate }] of bank.rows) {
      const found = known.get(name);
      if (found === undefined) consistency.lost++;
      else if (found !== rate) consistency.wrong++;
    }
    consistency.doubled += stored.filter((row) => !bank.rows.has(keyOf(row))).length;
    consistency.doubled += Math.max(0, (await revisions(db, bank.key)) - bank.corrected);
    consistency.lost += Math.max(0, bank.corrected - (await revisions(db, bank.key)));
  }
  const running = await db.query(`select 1 from ingest_runs where outcome = 'running'`);
  consistency.unfinished = running.rowCount ?? 0;
  return consistency;
}

async function revisions(db: Pick<pg.ClientBase, 'query'>, provider: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    'select count(*)::int as count from rate_revisions where provider = $1',
    [provider],
  );
  return rows[0]?.count ?? 0;
}
