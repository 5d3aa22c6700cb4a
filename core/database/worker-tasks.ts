import type { Database } from './database.js';
import { sql } from './sql.js';
import { rowOf, rowsOf } from './transactions.js';

/** What workers do by themselves, and when an operator requests it by an act of this name. */
export type WorkerTask = 'publish' | 'back up';

type Outcome = Record<string, string | number>;

export interface TaskState {
  /** The request of an operator that no worker has begun. */
  requestedAt: Date | null;
  /** The request that a worker has begun and not ended; it may have been killed. */
  startedAt: Date | null;
  /** The last success. */
  succeededAt: Date | null;
  outcome: Outcome | null;
  /** The last failure, if no success followed. */
  failedAt: Date | null;
  error: string | null;
}

export async function readTask(database: Database, task: WorkerTask): Promise<TaskState> {
  return rowOf(
    database,
    sql`select (select max(at) from operator_acts where act = wanted and id > coalesce(known.act, 0)) as "requestedAt",
          started_at as "startedAt", succeeded_at as "succeededAt",
          outcome, failed_at as "failedAt", error
        from (values (${task}::text)) as wanted_tasks (wanted) left join worker_tasks as known on task = wanted`,
  );
}

/** Whether the caller must carry out a request. Only one of many callers does. */
export async function takeRequest(database: Database, task: WorkerTask, now: Date): Promise<boolean> {
  const taken = await rowsOf(
    database,
    sql`insert into worker_tasks (task, act, started_at)
          select act, max(id), ${now}::timestamptz from operator_acts where act = ${task}
            and id > coalesce((select act from worker_tasks where task = ${task}), 0) group by act
        on conflict (task) do update set act = excluded.act, started_at = excluded.started_at
          where worker_tasks.act < excluded.act returning task`,
  );
  return taken.length > 0;
}

/** Notes how a task ended: with an outcome, or with an error. A failure keeps the outcome of the last success. */
export async function noteEnd(
  database: Database,
  task: WorkerTask,
  {
    now,
    outcome = null,
    error = null,
  }: { now: Date } & ({ outcome: Outcome; error?: null } | { outcome?: null; error: string }),
): Promise<void> {
  const [succeeded, failed] = error === null ? [now, null] : [null, now];
  const noted = outcome && JSON.stringify(outcome);
  await rowsOf(
    database,
    sql`insert into worker_tasks as known (task, succeeded_at, outcome, failed_at, error)
          values (${task}, ${succeeded}, ${noted}::jsonb, ${failed}, ${error})
        on conflict (task) do update set succeeded_at = coalesce(excluded.succeeded_at, known.succeeded_at),
          outcome = coalesce(excluded.outcome, known.outcome),
          failed_at = excluded.failed_at, error = excluded.error, started_at = null`,
  );
}
