import { z } from 'zod';
import type { Database } from '../../../core/database/database.js';
import { type ListedSuspect, readSuspects } from '../../../core/database/suspects.js';
import type { SuspectStatus } from '../../../core/domain/blend/suspect.js';
import { describeSuspect, exampleSuspect, suspectSchema } from '../../catalogue/suspect.js';

export const heldSuspectSchema = z
  .object({
    id: z.string(),
    ...suspectSchema.shape,
    resolved_by: z.string().nullable().meta({ description: 'The operator who decided; null if nobody did' }),
  })
  .meta({ id: 'HeldSuspect' });

type HeldSuspect = z.output<typeof heldSuspectSchema>;

export const exampleHeldSuspect: HeldSuspect = { id: '812', ...exampleSuspect, resolved_by: null };

interface Page {
  status: SuspectStatus;
  question?: string | undefined;
  limit: number;
  before?: string | undefined;
}

/** Latest first. */
export async function listSuspects(
  database: Database,
  { status, question, limit, before }: Page,
): Promise<HeldSuspect[]> {
  const which = question === undefined ? { statuses: [status] } : { inQuestion: question };
  return (await readSuspects(database, { ...which, before }, limit)).map(heldSuspectOf);
}

function heldSuspectOf(listed: ListedSuspect): HeldSuspect {
  return { id: listed.id, ...describeSuspect(listed), resolved_by: listed.resolvedBy };
}
