import type { QueryConfig } from 'pg';
import type { CalendarDate } from '../domain/dates.js';
import { shownCondition } from './bulk/blended-rows.js';
import { newestVersionNumber } from './data-versions.js';
import { type Database, poolOf } from './database.js';
import { sql } from './sql.js';
import { WAS_HELD } from './suspects.js';
import { inOneView } from './transactions.js';

/** The state of a provider, and totals over all its runs, including deleted ones. */
export interface ProviderStatistics {
  key: string;
  endDate: CalendarDate | null;
  lastError: string | null;
  /** Seconds since 1970; null before the first success. */
  lastSuccess: number | null;
  succeeded: number;
  failed: number;
  rowsNew: number;
  rowsCorrected: number;
  rowsDropped: number;
  rowsSkipped: number;
  setAside: number;
  isIncomplete: boolean;
}

/** The server cancels a statement that exceeds the limit. Throws then, or after twice the limit without a response. */
export async function readStatistics(database: Database, limitMs: number) {
  return inOneView(
    database,
    async (view) => {
      await view.execute(sql`select set_config('statement_timeout', ${String(limitMs)}, true)`);
      const dataVersion = Number(await newestVersionNumber(view));
      const providers = await view.query<ProviderStatistics>(sql`
        select key, end_date::text as "endDate", last_error as "lastError",
          extract(epoch from last_success_at)::float8 as "lastSuccess",
          runs_succeeded::float8 as succeeded, runs_failed::float8 as failed,
          rows_new::float8 as "rowsNew", rows_corrected::float8 as "rowsCorrected",
          rows_dropped::float8 as "rowsDropped", rows_skipped::float8 as "rowsSkipped",
          (select count(*)::float8 from set_aside_windows where provider = key) as "setAside",
          exists (select from thin_days where provider = key and date = end_date) as "isIncomplete"
        from providers`);
      const suspects = await view.query<{ provider: string; status: string; count: number }>(
        sql`select provider, status::text, count(*)::float8 as count from suspects
            where ${WAS_HELD} and ${shownCondition()} group by provider, status`,
      );
      return { dataVersion, providers, suspects };
    },
    { silenceMs: 2 * limitMs },
  );
}

/** Throws after the timeout, or if the database is unreachable. */
export async function ping(database: Database, limitMs: number): Promise<void> {
  // The driver accepts a timeout per query, which its types omit.
  const limited: QueryConfig & { query_timeout: number } = { text: 'select 1', query_timeout: limitMs };
  await poolOf(database).query(limited);
}
