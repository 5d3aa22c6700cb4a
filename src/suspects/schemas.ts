import { z } from 'zod';
import { SUSPECT_STATUSES } from '../../core/domain/blend/suspect.js';
import { SUSPICION_REASONS } from '../../core/domain/blend/suspicion.js';
import { currencyList, dateParameter, listOf, pageLimit, providerList } from '../http/currency-parameters.js';

/** What `GET /v2/suspects` takes. */
export const suspectsQuery = z.object({
  providers: providerList.optional().meta({
    description: 'Only rates of these sources, commas between keys',
    examples: ['CBG'],
  }),
  quotes: currencyList.optional().meta({
    description: 'Only rates of these currencies, on either side of the pair; commas between codes',
    examples: ['SEK,NOK'],
  }),
  from: dateParameter
    .optional()
    .meta({ format: 'date', description: 'First observation date', examples: ['2026-01-01'] }),
  to: dateParameter
    .optional()
    .meta({ format: 'date', description: 'Last observation date', examples: ['2026-03-31'] }),
  status: listOf(SUSPECT_STATUSES)
    .optional()
    .meta({
      type: 'string',
      description: `Only those with these statuses, commas between: ${SUSPECT_STATUSES.join(', ')}`,
      examples: ['held,rejected'],
    }),
  limit: pageLimit,
});

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
    expected: z
      .number()
      .meta({ description: "What it was held against: the nearest other source's, or its own last rate" }),
    others: z.number().int().meta({ description: 'How many rates of other sources it was held against' }),
    against: z.array(z.object({ provider: z.string(), date: z.iso.date(), rate: z.number() })).meta({
      description:
        "What it was held against, in its own pair: its source's last rate first, then what others said of the currency " +
        'on the day, or, where they were silent for 14 days, before. In CSV `KEY:DATE:RATE` with `|` between.',
    }),
    status: z.enum(SUSPECT_STATUSES).meta({
      description:
        'held: left out of the blend until it is confirmed or accepted; confirmed: another source or its next rates ' +
        'agreed; accepted, rejected: by an operator; corrected: the source has restated it',
    }),
    suspected_at: z.iso.datetime(),
    resolved_at: z.iso.datetime().nullable().meta({ description: 'Null while it is held' }),
  })
  .meta({ id: 'Suspect' });

export type PublicSuspect = z.output<typeof suspectSchema>;
