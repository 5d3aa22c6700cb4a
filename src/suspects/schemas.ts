import { z } from 'zod';
import { SUSPECT_STATUSES, type SuspectStatus } from '../../core/domain/blend/suspect-status.js';
import { SUSPICION_REASONS } from '../../core/domain/blend/suspicion.js';
import { currencyList, dateParameter, pageLimit, providerList } from '../http/currency-parameters.js';
import { excerptOfList } from '../http/excerpt.js';

/** Statuses with commas between, in any case; repeated ones count once. */
const statusList = z
  .string()
  .transform((text) => [...new Set(text.split(',').map((word) => word.trim().toLowerCase()))].filter(Boolean))
  .superRefine((words, issues) => {
    const unknown = words.filter((word) => !isStatus(word));
    if (unknown.length > 0) {
      issues.addIssue({ code: 'custom', message: `invalid status: ${excerptOfList(unknown)}` });
    }
  })
  .transform((words) => words.filter(isStatus))
  .meta({ type: 'string', examples: ['held,rejected'] });

function isStatus(word: string): word is SuspectStatus {
  return SUSPECT_STATUSES.some((status) => status === word);
}

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
  status: statusList.optional().meta({
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
        'table; unchanged: exactly the last rate, though others moved; jump: far from its last rate; apart: the first ' +
        'of its pair, and far from all others',
    }),
    expected: z
      .number()
      .meta({ description: "What it was held against: the nearest other source's, or its own last rate" }),
    others: z
      .number()
      .int()
      .meta({ description: 'How many other sources gave the currency that day; none agreed' }),
    status: z.enum(SUSPECT_STATUSES).meta({
      description:
        'held: left out of the blend until it is confirmed or accepted; confirmed: another source or the next rate ' +
        'agreed; accepted, rejected: by an operator; corrected: the source has restated it',
    }),
    suspected_at: z.iso.datetime(),
    resolved_at: z.iso.datetime().nullable().meta({ description: 'Null while it is held' }),
  })
  .meta({ id: 'Suspect' });

export type PublicSuspect = z.output<typeof suspectSchema>;
