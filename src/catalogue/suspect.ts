import * as z from 'zod';
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
        'factor_of_ten: off by a power of ten; inverted: the inverse of the rate; swapped: the rate of another currency in ' +
        'the same table; jump: far from the last rate; apart: the first rate of its pair, and far from all other sources',
    }),
    expected: z.number().meta({
      description:
        "The rate that it was compared with: that of the nearest other source, or the source's own last rate",
    }),
    others: z.number().int().meta({ description: 'Number of rates of other sources in the comparison' }),
    rates: z
      .number()
      .int()
      .meta({
        description:
          'Number of rates that one decision covers. It is more than one if all rates of the source moved alike on that day ' +
          'because its own currency moved; these are confirmed, accepted or rejected together',
      }),
    against: z.array(z.object({ provider: z.string(), date: z.iso.date(), rate: z.number() })).meta({
      description:
        "The rates that it was compared with, as rates of the same pair: first the source's own last rate, then those of other " +
        'sources on that day or, if there were none in the 14 days up to it, earlier. In CSV: `KEY:DATE:RATE`, separated by `|`.',
    }),
    status: z.enum(SUSPECT_STATUSES).meta({
      description:
        'held: excluded from the blend until confirmed or accepted; confirmed: by another source or by its next rates; ' +
        'accepted, rejected: by an operator; corrected: the source has corrected it',
    }),
    shipped: z.literal(true).optional().meta({
      description: 'Only if the rate is one of those included with Almanac, not read from the source',
    }),
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
