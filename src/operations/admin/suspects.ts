import { z } from 'zod';
import type { Database } from '../../../core/database/database.js';
import { heldAgainst, type ListedSuspect, readSuspects } from '../../../core/database/suspects.js';
import { SUSPECT_STATUSES, type SuspectStatus } from '../../../core/domain/blend/suspect.js';
import { SUSPICION_REASONS } from '../../../core/domain/blend/suspicion.js';

/** A suspect as an operator sees it. */
export const heldSuspectSchema = z
  .object({
    id: z.string(),
    provider: z.string(),
    date: z.iso.date(),
    base: z.string(),
    quote: z.string(),
    rate: z.number(),
    reason: z.enum(SUSPICION_REASONS),
    expected: z.number(),
    others: z.number().int(),
    against: z.array(z.object({ provider: z.string(), date: z.iso.date(), rate: z.number() })).meta({
      description: "What it was held against: its provider's last rate first, then those of others",
    }),
    status: z.enum(SUSPECT_STATUSES),
    suspected_at: z.iso.datetime(),
    resolved_at: z.iso.datetime().nullable(),
    resolved_by: z
      .string()
      .nullable()
      .meta({ description: 'The operator who decided; null where nobody did' }),
  })
  .meta({ id: 'HeldSuspect' });

type HeldSuspect = z.output<typeof heldSuspectSchema>;

export const exampleHeldSuspect: HeldSuspect = {
  id: '812',
  provider: 'CBG',
  date: '2025-05-02',
  base: 'DKK',
  quote: 'GMD',
  rate: 1.1223,
  reason: 'factor_of_ten',
  expected: 10.795,
  others: 2,
  against: [
    { provider: 'CBG', date: '2025-04-30', rate: 10.9 },
    { provider: 'ECB', date: '2025-05-02', rate: 10.795 },
    { provider: 'NB', date: '2025-05-02', rate: 10.812 },
  ],
  status: 'held',
  suspected_at: '2025-05-02T15:30:02.114Z',
  resolved_at: null,
  resolved_by: null,
};

/** Suspects of one status, the last that were found first. */
export async function listSuspects(
  database: Database,
  { status, limit, before }: { status: SuspectStatus; limit: number; before?: string | undefined },
): Promise<HeldSuspect[]> {
  return (await readSuspects(database, { statuses: [status], before }, limit)).map(present);
}

function present(listed: ListedSuspect): HeldSuspect {
  const { evidence: _, suspectedAt, resolvedAt, resolvedBy, ...suspect } = listed;
  return {
    ...suspect,
    against: heldAgainst(listed),
    suspected_at: suspectedAt.toISOString(),
    resolved_at: resolvedAt?.toISOString() ?? null,
    resolved_by: resolvedBy,
  };
}
