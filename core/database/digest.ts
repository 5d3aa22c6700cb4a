import type { StoredPeriod } from '../domain/periods.js';
import { allowLargeAggregates, BLENDED_TABLES } from './blended-rates.js';
import { newestVersion } from './data-versions.js';
import type { Database } from './database.js';
import { literally, sql } from './sql.js';
import { inOneView, type Transaction } from './transactions.js';

interface TableDigest {
  period: StoredPeriod;
  rows: number;
  /** SHA-256 over the date, quote and rate of all rows, in PostgreSQL's binary format, by date and quote. */
  sha256: string;
}

/** The digests at the newest data version (0 if none), in one view. Takes about a second per million rows. */
export async function digestBlends(database: Database): Promise<{ version: bigint; tables: TableDigest[] }> {
  return inOneView(database, async (view) => {
    const version = (await newestVersion(view))?.version ?? 0n;
    return { version, tables: await digestTables(view) };
  });
}

export async function digestTables(transaction: Transaction): Promise<TableDigest[]> {
  await allowLargeAggregates(transaction);
  const tables: TableDigest[] = [];
  for (const period of ['day', 'week', 'month'] as const) {
    const digest = await transaction.query<TableDigest>(
      sql`select ${period}::text as period, count(*)::int as rows,
                 encode(sha256(coalesce(string_agg(
                   date_send(date) || textsend(quote::text) || float8send(rate), ''::bytea order by date, quote collate "C"
                 ), ''::bytea)), 'hex') as sha256
          from ${literally(BLENDED_TABLES[period])}`,
    );
    tables.push(...digest);
  }
  return tables;
}
