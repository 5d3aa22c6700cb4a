import { z } from 'zod';
import { SUSPECT_STATUSES } from '../../core/domain/blend/suspect.js';
import {
  currencyList,
  listOf,
  observationDates,
  pageLimit,
  providerList,
} from '../parameters/currency-parameters.js';

/** The parameters of `GET /v2/suspects`. */
export const suspectsQuery = z.object({
  providers: providerList.optional().meta({
    description: 'Only rates of these sources: keys separated by commas',
    examples: ['CBG'],
  }),
  quotes: currencyList.optional().meta({
    description: 'Only rates of these currencies, on either side of the pair: codes separated by commas',
    examples: ['SEK,NOK'],
  }),
  ...observationDates,
  status: listOf(SUSPECT_STATUSES)
    .optional()
    .meta({
      type: 'string',
      description: `Only those with these statuses, separated by commas: ${SUSPECT_STATUSES.join(', ')}`,
      examples: ['held,rejected'],
    }),
  limit: pageLimit,
});
