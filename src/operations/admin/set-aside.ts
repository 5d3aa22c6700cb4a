import { z } from 'zod';
import type { Database } from '../../../core/database/database.js';
import { readSetAside } from '../../../core/database/set-aside.js';
import { membersOf } from '../../formats/record-formats.js';

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

/** Newest days first. */
export async function listSetAside(database: Database, provider: string) {
  const windows = await readSetAside(database, provider);
  return windows.map((one) => membersOf(setAsideSchema, { ...one, since: one.since.toISOString() }));
}
