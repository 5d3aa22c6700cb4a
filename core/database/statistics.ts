import type { CalendarDate } from '../domain/dates.js';
import { type Database, poolOf } from './database.js';
import { EVER_LEFT_OUT } from './suspects.js';

/** Totals over all recorded runs of a provider. */
export interface ProviderStatistics {
  key: string;
  /** Its newest observation date; null while it has none. */
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
  /** Windows of its backfill that are set aside. */
  setAside: number;
  /** Whether its newest day has far fewer currencies than usual. */
  isThin: boolean;
}

/** How many suspect rates of a provider have a status. */
export interface SuspectCount {
  provider: string;
  status: string;
  count: number;
}

/**
 * The newest data version, 0 before the first, the state of each provider, and its suspects. Throws after the time
 * limit.
 */
export async function readStatistics(
  database: Database,
  limitMs: number,
): Promise<{ dataVersion: number; providers: ProviderStatistics[]; suspects: SuspectCount[] }> {
  const pool = poolOf(database);
  const newest = await pool.query<{ version: number }>({
    text: 'select coalesce(max(version), 0)::float8 as version from data_versions',
    ...within(limitMs),
  });
  const found = await pool.query<ProviderStatistics>({
    text: `
      select p.key, p.end_date as "endDate", p.last_error as "lastError",
        extract(epoch from p.last_success_at)::float8 as "lastSuccess",
        coalesce(r.succeeded, 0) as succeeded, coalesce(r.failed, 0) as failed,
        coalesce(r.rows_new, 0) as "rowsNew", coalesce(r.rows_corrected, 0) as "rowsCorrected",
        coalesce(r.rows_dropped, 0) as "rowsDropped", coalesce(r.rows_skipped, 0) as "rowsSkipped",
        (select count(*)::float8 from set_aside_windows where provider = p.key) as "setAside",
        exists (select from thin_days where provider = p.key and date = p.end_date) as "isThin"
      from providers p left join (
        select provider, count(*) filter (where outcome = 'succeeded')::float8 as succeeded,
          count(*) filter (where outcome = 'failed')::float8 as failed, sum(rows_new)::float8 as rows_new,
          sum(rows_corrected)::float8 as rows_corrected, sum(dropped.count)::float8 as rows_dropped,
          sum(skipped.count)::float8 as rows_skipped
        from ingest_runs
          left join lateral (select sum(value::int) as count from jsonb_each_text(rows_dropped)) dropped on true
          left join lateral (select sum(value::int) as count from jsonb_each_text(rows_skipped)) skipped on true
        group by provider
      ) r on r.provider = p.key`,
    ...within(limitMs),
  });
  const suspects = await pool.query<SuspectCount>({
    text: `select provider, status::text, count(*)::float8 as count from suspects where ${EVER_LEFT_OUT}
      group by provider, status`,
    ...within(limitMs),
  });
  return {
    dataVersion: newest.rows[0]?.version ?? 0,
    providers: found.rows,
    suspects: suspects.rows,
  };
}

/** Runs a trivial query. Throws after the time limit, or if the database can't be reached. */
export async function ping(database: Database, limitMs: number): Promise<void> {
  await poolOf(database).query({ text: 'select 1', ...within(limitMs) });
}

/** The driver accepts a time limit for each query, which its types omit. */
function within(limitMs: number): { query_timeout: number } {
  return { query_timeout: limitMs };
}
