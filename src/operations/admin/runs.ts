import * as z from 'zod';
import type { Database } from '../../../core/database/database.js';
import type { IngestRun } from '../../../core/database/ingest-runs.js';
import { readSetAside } from '../../../core/database/set-aside.js';
import { membersOf } from '../../formats/record-formats.js';

const countsByReason = z.record(z.string(), z.number().int()).meta({ example: {} });
const provider = z.string().meta({ example: 'ECB' });
const from = z.iso.date().meta({ example: '2026-03-01' });
const to = z.iso.date().meta({ example: '2026-03-18' });
const count = z.number().int().meta({ example: 0 });
const instant = z.iso.datetime().meta({ example: '2026-03-18T15:02:12.310Z' });

export const runSchema = z
  .object({
    id: z.string().meta({ example: '812' }),
    provider,
    job: z.string().nullable().meta({ example: 'ingest-ECB-operator-2026-03-01-now-1f0c8a2d' }),
    reason: z.string().meta({ description: 'schedule, catch-up, backfill, operator', example: 'operator' }),
    from,
    to: to.nullable(),
    outcome: z.enum(['succeeded', 'failed', 'running']),
    rowsNew: count,
    rowsCorrected: z.number().int().meta({ example: 2 }),
    rowsUnchanged: z.number().int().meta({ example: 388 }),
    rowsDropped: countsByReason.meta({ description: 'Rows left out by validation, by reason' }),
    rowsSkipped: countsByReason.meta({ description: 'Records that the feed skipped, by reason' }),
    noData: countsByReason.meta({
      description: 'Responses without rates, by the reason that the source documents',
    }),
    responses: z.number().int().meta({ description: 'Responses of the source', example: 1 }),
    responseBytes: z.number().int().meta({ description: 'Bytes of their bodies', example: 24_310 }),
    error: z.string().nullable(),
    startedAt: instant,
    finishedAt: instant.nullable(),
  })
  .meta({ id: 'Run' });

export function describeRun(run: IngestRun): z.output<typeof runSchema> {
  return membersOf(runSchema, {
    ...run,
    startedAt: run.startedAt.toISOString(),
    finishedAt: run.finishedAt?.toISOString() ?? null,
  });
}

export const setAsideSchema = z
  .object({
    from,
    to,
    reason: z.string().meta({
      description: 'Why its last attempt failed',
      example: 'https://bank.example/rates: 0 of 249 records give a rate',
    }),
    attempts: z.number().int().meta({ example: 6 }),
    since: instant,
  })
  .meta({ id: 'SetAsideWindow' });

/** The windows that a backfill has skipped, newest days first. */
export async function listSetAside(database: Database, provider: string) {
  const windows = await readSetAside(database, provider);
  return windows.map((one) => membersOf(setAsideSchema, { ...one, since: one.since.toISOString() }));
}
