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

export const exampleHeldSuspect: z.output<typeof heldSuspectSchema> = {
  id: '812',
  ...exampleSuspect,
  resolved_by: null,
};

export function describeHeldSuspect(listed: ListedSuspect): z.output<typeof heldSuspectSchema> {
  return { id: listed.id, ...describeSuspect(listed), resolved_by: listed.resolvedBy };
}
