import type pg from 'pg';
import { type Bank, nameOf } from './banks.js';

/** How the stored rows compare with what the banks published. All are counts, and all are to be 0. */
export interface Accounts {
  lost: number;
  /** Rows that nobody published, and corrections that were written down more often than they were made. */
  doubled: number;
  /** Rows with another rate than the newest published. */
  wrong: number;
  /** Runs that still count as running. */
  unfinished: number;
}

interface Stored {
  provider: string;
  date: string;
  base: string;
  quote: string;
  rate: number;
}

/** Compares every stored row, and the history of corrections, with the banks' own books. */
export async function compare(db: Pick<pg.ClientBase, 'query'>, banks: readonly Bank[]): Promise<Accounts> {
  const accounts: Accounts = { lost: 0, doubled: 0, wrong: 0, unfinished: 0 };
  const { rows } = await db.query<Stored>(
    'select provider, date::text as date, base, quote, rate from rates',
  );
  for (const bank of banks) {
    const stored = rows.filter(({ provider }) => provider === bank.key);
    const known = new Map(stored.map((row) => [nameOf(row), row.rate]));
    for (const [name, { rate }] of bank.rows) {
      const found = known.get(name);
      if (found === undefined) accounts.lost++;
      else if (found !== rate) accounts.wrong++;
    }
    accounts.doubled += stored.filter((row) => !bank.rows.has(nameOf(row))).length;
    accounts.doubled += Math.max(0, (await revisions(db, bank.key)) - bank.corrected);
    accounts.lost += Math.max(0, bank.corrected - (await revisions(db, bank.key)));
  }
  const running = await db.query(`select 1 from ingest_runs where outcome = 'running'`);
  accounts.unfinished = running.rowCount ?? 0;
  return accounts;
}

async function revisions(db: Pick<pg.ClientBase, 'query'>, provider: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    'select count(*)::int as count from rate_revisions where provider = $1',
    [provider],
  );
  return rows[0]?.count ?? 0;
}
