import { z } from 'zod';
import { conflictingRates, type ListedSuspect } from '../../core/database/suspects.js';
import { SUSPECT_STATUSES } from '../../core/domain/blend/suspect.js';
import { SUSPICION_REASONS } from '../../core/domain/blend/suspicion.js';

export const suspectSchema = z
  .object({
    provider: z.string(),
    date: z.iso.date(),
    base: z.string(),
    quote: z.string(),
    rate: z.number().meta({ description: 'As the source published it' }),
    reason: z.enum(SUSPICION_REASONS).meta({
      description:
        'factor_of_ten: a power of ten off; inverted: the inverse; swapped: the rate of another currency of the same ' +
        'table; jump: far from its last rate; apart: the first of its pair, and far from all others',
    }),
    expected: z.number().meta({
      description: "What it was compared with: the nearest other source's rate, or its own last rate",
    }),
    others: z
      .number()
      .int()
      .meta({ description: 'Number of rates of other sources that it was compared with' }),
    rates: z
      .number()
      .int()
      .meta({
        description:
          'How many rates the question is about: more than one where all that its source gave that day moved alike, as its ' +
          'own currency did; they are confirmed, accepted or rejected together',
      }),
    against: z.array(z.object({ provider: z.string(), date: z.iso.date(), rate: z.number() })).meta({
      description:
        "What it was compared with, in its own pair: its source's last rate first, then the rates of others for the currency " +
        'on the day, or, if there were none for 14 days, before. In CSV `KEY:DATE:RATE` with `|` between.',
    }),
    status: z.enum(SUSPECT_STATUSES).meta({
      description:
        'held: left out of the blend until it is confirmed or accepted; confirmed: another source or its next rates ' +
        'agreed; accepted, rejected: by an operator; corrected: the source has restated it',
    }),
    shipped: z
      .literal(true)
      .optional()
      .meta({ description: 'Its rate shipped with Almanac, and was not read here' }),
    suspected_at: z.iso.datetime(),
    resolved_at: z.iso.datetime().nullable().meta({ description: 'Null while it is held' }),
  })
  .meta({ id: 'Suspect' });

export type PublicSuspect = z.output<typeof suspectSchema>;

export function describeSuspect(listed: ListedSuspect): PublicSuspect {
  const { id: _, evidence: __, resolvedBy: ___, isShipped, suspectedAt, resolvedAt, ...suspect } = listed;
  return {
    ...suspect,
    against: conflictingRates(listed),
    ...(isShipped && { shipped: true }),
    suspected_at: suspectedAt.toISOString(),
    resolved_at: resolvedAt?.toISOString() ?? null,
  };
}

/** A rate that the Central Bank of The Gambia published. A test checks it against the schema. */
export const exampleSuspect: PublicSuspect = {
  provider: 'CBG',
  date: '2025-05-02',
  base: 'DKK',
  quote: 'GMD',
  rate: 1.1223,
  reason: 'factor_of_ten',
  expected: 10.795,
  others: 2,
  rates: 1,
  against: [
    { provider: 'CBG', date: '2025-04-30', rate: 10.9 },
    { provider: 'ECB', date: '2025-05-02', rate: 10.795 },
    { provider: 'NB', date: '2025-05-02', rate: 10.812 },
  ],
  status: 'held',
  suspected_at: '2025-05-02T15:30:02.114Z',
  resolved_at: null,
};
