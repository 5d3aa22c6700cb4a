import { z } from 'zod';
import { SUSPECT_STATUSES } from '../../core/domain/blend/suspect.js';
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
