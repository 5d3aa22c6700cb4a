import { z } from 'zod';
import type { ListedSuspect } from '../../../core/database/suspects.js';
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

export function describeHeldSuspect(listed: ListedSuspect): HeldSuspect {
  return { id: listed.id, ...describeSuspect(listed), resolved_by: listed.resolvedBy };
}
