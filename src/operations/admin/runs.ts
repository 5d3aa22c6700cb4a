import * as z from 'zod';
import type { Database } from '../../../core/database/database.js';
import type { IngestRun } from '../../../core/database/ingest-runs.js';
import { readSetAside } from '../../../core/database/set-aside.js';
import { membersOf } from '../../formats/record-formats.js';

const countsByReason = z.record(z.string(), z.number().int());

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
    rowsDropped: countsByReason.meta({ description: 'Rows left out by validation, by reason' }),
    rowsSkipped: countsByReason.meta({ description: 'Records that the feed skipped, by reason' }),
    noData: countsByReason.meta({
      description: 'Responses without rates, by the reason that the source documents',
    }),
    responses: z.number().int().meta({ description: 'Responses of the source' }),
    responseBytes: z.number().int().meta({ description: 'Bytes of their bodies' }),
    error: z.string().nullable(),
    startedAt: z.iso.datetime(),
    finishedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Run' });

export const exampleRun: z.output<typeof runSchema> = {
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
  rowsSkipped: { 'no rate': 3 },
  noData: {},
  responses: 1,
  responseBytes: 24_310,
  error: null,
  startedAt: '2026-03-18T15:02:11.034Z',
  finishedAt: '2026-03-18T15:02:12.310Z',
};

export function describeRun(run: IngestRun): z.output<typeof runSchema> {
  return membersOf(runSchema, {
    ...run,
    startedAt: run.startedAt.toISOString(),
    finishedAt: run.finishedAt?.toISOString() ?? null,
  });
}

export const setAsideSchema = z
  .object({
    from: z.iso.date(),
    to: z.iso.date(),
    reason: z.string().meta({ description: 'Why its last attempt failed' }),
    attempts: z.number().int(),
    since: z.iso.datetime(),
  })
  .meta({ id: 'SetAsideWindow' });

export const exampleSetAside: z.output<typeof setAsideSchema> = {
  from: '2003-01-01',
  to: '2003-12-31',
  reason: 'https://bank.example/rates?year=2003: 0 of 249 records give a rate',
  attempts: 6,
  since: '2026-03-18T15:02:12.310Z',
};

/** The windows that a backfill has skipped, newest days first. */
export async function listSetAside(database: Database, provider: string) {
  const windows = await readSetAside(database, provider);
  return windows.map((one) => membersOf(setAsideSchema, { ...one, since: one.since.toISOString() }));
}
