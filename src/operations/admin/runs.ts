import { z } from 'zod';
import type { Database } from '../../../core/database/database.js';

export const runSchema = z
  .object({
    id: z.string(),
    provider: z.string(),
    job: z.string().nullable(),
    reason: z.string().meta({ description: 'schedule, catch-up, backfill, operator' }),
    from: z.iso.date(),
    to: z.iso.date().nullable(),
    outcome: z.enum(['running', 'succeeded', 'failed']),
    rowsNew: z.number().int(),
    rowsCorrected: z.number().int(),
    rowsUnchanged: z.number().int(),
    rowsDropped: z.record(z.string(), z.number().int()),
    error: z.string().nullable(),
    startedAt: z.iso.datetime(),
    finishedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Run' });

export type Run = z.output<typeof runSchema>;

export const exampleRun: Run = {
  id: '812',
  provider: 'ECB',
  job: 'ingest-ECB-operator-2026-03-01-now-1f0c8a2d',
  reason: 'operator',
  from: '2026-03-01',
  to: '2026-03-18',
  outcome: 'succeeded',
  rowsNew: 0,
  rowsCorrected: 2,
  rowsUnchanged: 388,
  rowsDropped: {},
  error: null,
  startedAt: '2026-03-18T15:02:11.034Z',
  finishedAt: '2026-03-18T15:02:12.310Z',
};

const COLUMNS = `id::text, provider, job_id as job, reason, window_from as "from", window_to as "to",
  outcome::text, rows_new as "rowsNew", rows_corrected as "rowsCorrected", rows_unchanged as "rowsUnchanged",
  rows_dropped as "rowsDropped", error, started_at as "startedAt", finished_at as "finishedAt"`;

interface RunRow extends Omit<Run, 'startedAt' | 'finishedAt'> {
  startedAt: Date;
  finishedAt: Date | null;
}

/** The runs of a provider, newest first, `limit` at most; only those before the run `before`, where it is given. */
export async function readRuns(
  { pool }: Database,
  provider: string,
  { limit, before }: { limit: number; before?: string | undefined },
): Promise<Run[]> {
  const { rows } = await pool.query<RunRow>(
    `select ${COLUMNS} from ingest_runs
     where provider = $1 and ($2::bigint is null or id < $2) order by id desc limit $3`,
    [provider, before ?? null, limit],
  );
  return rows.map(present);
}

/** The newest run that a job made. */
export async function readRunOfJob({ pool }: Database, job: string): Promise<Run | undefined> {
  const { rows } = await pool.query<RunRow>(
    `select ${COLUMNS} from ingest_runs where job_id = $1 order by id desc limit 1`,
    [job],
  );
  return rows[0] && present(rows[0]);
}

function present(row: RunRow): Run {
  return {
    ...row,
    startedAt: row.startedAt.toISOString(),
    finishedAt: row.finishedAt?.toISOString() ?? null,
  };
}
