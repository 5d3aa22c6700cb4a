import type pg from 'pg';
import type { CalendarDate } from '../../core/domain/dates.js';
import { isNeedsKeyError } from '../../core/domain/provider-status.js';
import type { Asked } from './windows.js';

/** One attempt to ingest a window, as its row in `ingest_runs` begins. */
export interface RunStart {
  provider: string;
  jobId?: string | undefined;
  reason: string;
  from: CalendarDate;
  to: CalendarDate;
}

export interface RunCounts {
  rowsNew: number;
  rowsCorrected: number;
  rowsUnchanged: number;
  rowsDropped: Record<string, number>;
}

type Queryable = Pick<pg.Pool, 'query'>;

const LEFT_BEHIND = 'its worker died in the midst of it';

/**
 * Writes that an attempt begins, and closes those that a dead worker left open. Only to be called by who holds
 * the provider's lock. Returns the run's id.
 */
export async function startRun(db: Queryable, run: RunStart): Promise<string> {
  await db.query(
    `insert into providers (key, last_attempt_at) values ($1, now())
     on conflict (key) do update set last_attempt_at = now()`,
    [run.provider],
  );
  await db.query(
    `update ingest_runs set outcome = 'failed', finished_at = now(), error = $2
     where provider = $1 and outcome = 'running'`,
    [run.provider, LEFT_BEHIND],
  );
  const { rows } = await db.query<{ id: string }>(
    `insert into ingest_runs (provider, job_id, reason, window_from, window_to)
     values ($1, $2, $3, $4, $5) returning id::text`,
    [run.provider, run.jobId ?? null, run.reason, run.from, run.to],
  );
  const id = rows[0]?.id;
  if (id === undefined) throw new Error('the run was not written');
  return id;
}

/** Writes a run's success. Belongs in the transaction of its rows: both become visible, or neither. */
export async function succeedRun(
  db: Queryable,
  id: string,
  provider: string,
  counts: RunCounts,
): Promise<void> {
  await db.query(
    `update ingest_runs set outcome = 'succeeded', finished_at = clock_timestamp(),
       rows_new = $2, rows_corrected = $3, rows_unchanged = $4, rows_dropped = $5
     where id = $1`,
    [id, counts.rowsNew, counts.rowsCorrected, counts.rowsUnchanged, JSON.stringify(counts.rowsDropped)],
  );
  await db.query(
    'update providers set last_success_at = clock_timestamp(), last_error = null where key = $1',
    [provider],
  );
}

/**
 * Writes a run's failure. `error` must hold no secrets. It is held against the provider unless `worker` is at
 * fault: one that was stopped says nothing about the source.
 */
export async function failRun(
  db: Queryable,
  id: string,
  provider: string,
  error: string,
  fault: 'provider' | 'worker' = 'provider',
): Promise<void> {
  await db.query(`update ingest_runs set outcome = 'failed', finished_at = now(), error = $2 where id = $1`, [
    id,
    error,
  ]);
  if (fault === 'provider') {
    await db.query('update providers set last_error = $2 where key = $1', [provider, error]);
  }
}

/**
 * Notes that the window has been asked for, where that goes on from what has been asked for before, or is the
 * first that reaches `today`. Belongs in the transaction of its rows: a kill can then leave no gap.
 */
export async function extendAsked(
  db: Queryable,
  provider: string,
  window: { from: CalendarDate; to: CalendarDate },
  today: CalendarDate,
): Promise<void> {
  await db.query(
    `update providers set backfilled_to = $2::date
     where key = $1 and ((backfilled_to is null and $3::date >= $4::date)
       or (backfilled_to > $2::date and backfilled_to <= $3::date + 1))`,
    [provider, window.from, window.to, today],
  );
}

/** How far each provider has been asked, and how the newest attempt ended, for those that have a row. */
export async function readAsked(
  db: Queryable,
  provider?: string,
): Promise<Map<string, Asked & { lastError: string | null }>> {
  const { rows } = await db.query<Asked & { key: string; lastError: string | null }>(
    `select key, backfilled_to::text as "backfilledTo", end_date::text as "endDate", last_error as "lastError",
       (select max(window_to)::text from
         (select window_to from ingest_runs
          where provider = key and outcome = 'succeeded' and reason <> 'backfill'
          order by started_at desc limit 20) newest) as through
     from providers where $1::text is null or key = $1`,
    [provider ?? null],
  );
  return new Map(rows.map((row) => [row.key, row]));
}

/**
 * Notes which providers lack credentials (provider to `needs_key` error), and forgets it for those that have
 * them by now.
 */
export async function noteMissingCredentials(
  db: Queryable,
  missing: ReadonlyMap<string, string>,
): Promise<void> {
  for (const [provider, error] of missing) {
    await db.query(
      `insert into providers (key, last_error) values ($1, $2)
       on conflict (key) do update set last_error = excluded.last_error`,
      [provider, error],
    );
  }
  const { rows } = await db.query<{ key: string; last_error: string }>(
    'select key, last_error from providers where last_error is not null',
  );
  const found = rows.filter((row) => isNeedsKeyError(row.last_error) && !missing.has(row.key));
  await db.query('update providers set last_error = null where key = any($1)', [found.map((row) => row.key)]);
}
