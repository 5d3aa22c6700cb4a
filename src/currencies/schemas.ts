import { z } from 'zod';
import { oneOf, providerList } from '../parameters/currency-parameters.js';

export const currenciesQuery = z.object({
  scope: oneOf(['all'])
    .optional()
    .meta({
      type: 'string',
      enum: ['all'],
      description: 'all: legacy and retired currencies too',
    }),
  providers: providerList.optional().meta({
    description: 'Only what these sources publish, with their first and last day; keys separated by commas',
    examples: ['ECB'],
  }),
});

export const currencyPath = z.object({
  code: z.string().meta({ description: 'Currency code, in any case', examples: ['TMT'] }),
});
