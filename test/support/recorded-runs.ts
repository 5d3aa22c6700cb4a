import type { TestDatabase } from './postgres.js';

/** What a run records of a source whose name does not resolve. */
const UNRESOLVED = 'https://bank.test/: could not be reached (ENOTFOUND)';

/** Records a run of each source as a worker does, one second apart. A run without an error is a success. */
export async function recordRuns(
  { pool }: TestDatabase,
  from: Date,
  keys: readonly string[],
  error: string | null = UNRESOLVED,
): Promise<void> {
  for (const [second, key] of keys.entries()) {
    const started = new Date(from.getTime() + second * 1_000);
    await pool.query(
      `insert into providers as known (key, last_attempt_at, last_error, last_success_at)
         values ($1, $2, $3, case when $3::text is null then $2::timestamptz end)
         on conflict (key) do update set last_attempt_at = excluded.last_attempt_at, last_error = excluded.last_error,
           last_success_at = coalesce(excluded.last_success_at, known.last_success_at)`,
      [key, started, error],
    );
    await pool.query(
      `insert into ingest_runs (provider, reason, window_from, started_at, finished_at, outcome, error, responses, rows_new)
         values ($1::text, 'schedule', $2::timestamptz::date - 14, $2, $2::timestamptz + length($1::text) * interval '310 ms', $3, $4, $5, $5)`,
      [key, started, error === null ? 'succeeded' : 'failed', error, error === null ? 1 : 0],
    );
  }
}
