import * as z from 'zod';
import { conflictingRates, type ListedSuspect } from '../../core/database/suspects.js';
import { SUSPECT_STATUSES } from '../../core/domain/blend/suspect.js';
import { SUSPICION_REASONS } from '../../core/domain/blend/suspicion.js';
import { exampleOf } from '../openapi/responses.js';

/** In the order of the columns of CSV. */
export const suspectSchema = z
  .object({
    provider: z.string().meta({ example: 'CBG' }),
    date: z.iso.date().meta({ example: '2025-05-02' }),
    base: z.string().meta({ example: 'DKK' }),
    quote: z.string().meta({ example: 'GMD' }),
    rate: z.number().meta({ description: 'As the source published it', example: 1.1223 }),
    reason: z.enum(SUSPICION_REASONS).meta({
      description:
        'factor_of_ten: off by a power of ten; inverted: the inverse of the rate; swapped: the rate of another currency in ' +
        'the same table; jump: far from the last rate; apart: the first rate of its pair, and far from all other sources',
    }),
    expected: z.number().meta({
      description:
        "The rate that it was compared with: that of the nearest other source, or the source's own last rate",
      example: 10.9,
    }),
    others: z
      .number()
      .int()
      .meta({ description: 'Number of rates of other sources in the comparison', example: 0 }),
    rates: z
      .number()
      .int()
      .meta({
        description:
          'Number of rates that one decision covers. It is more than one if all rates of the source moved alike on that day ' +
          'because its own currency moved; these are confirmed, accepted or rejected together',
        example: 1,
      }),
    against: z.array(z.object({ provider: z.string(), date: z.iso.date(), rate: z.number() })).meta({
      example: [{ provider: 'CBG', date: '2025-04-30', rate: 10.9 }],
      description:
        "The rates that it was compared with, as rates of the same pair: first the source's own last rate, then those of other " +
        'sources on that day or, if there were none in the 14 days up to it, earlier. In CSV: `KEY:DATE:RATE`, separated by `|`.',
    }),
    status: z.enum(SUSPECT_STATUSES).meta({
      description:
        'held: excluded from the blend until confirmed or accepted; confirmed: by another source or by its next rates; ' +
        'accepted, rejected: by an operator; corrected: the source has corrected it',
    }),
    suspected_at: z.iso.datetime().meta({ example: '2025-05-02T15:30:02.114Z' }),
    resolved_at: z.iso.datetime().nullable().meta({ description: 'Null while it is held' }),
    shipped: z.literal(true).optional().meta({
      description: 'Only if the rate is one of those included with Almanac, not read from the source',
    }),
  })
  .meta({ id: 'Suspect' });

export type PublicSuspect = z.output<typeof suspectSchema>;

/** A rate that the Central Bank of The Gambia published. */
export const exampleSuspect = exampleOf(suspectSchema);

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
