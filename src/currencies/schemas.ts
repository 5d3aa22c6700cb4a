import { z } from 'zod';
import { oneOf, providerList } from '../http/currency-parameters.js';

export const currenciesQuery = z.object({
  scope: oneOf(['all'])
    .optional()
    .meta({
      type: 'string',
      enum: ['all'],
      description: 'all: legacy and retired currencies too',
    }),
  providers: providerList.optional().meta({
    description:
      'Only what these sources publish, with the first and last day on which they did; commas between keys',
    examples: ['ECB'],
  }),
});

export const currencyPath = z.object({
  code: z.string().meta({ description: 'Currency code, in any case', examples: ['TMT'] }),
});

export const currencySchema = z
  .object({
    iso_code: z.string().meta({ description: 'ISO 4217 code, or the one in everyday use' }),
    iso_numeric: z.string().nullable().meta({ description: 'ISO 4217 number; null where ISO lists none' }),
    name: z.string(),
    symbol: z.string(),
    start_date: z.iso.date().meta({ description: 'First day with data' }),
    end_date: z.iso.date().meta({ description: 'Last day with data' }),
  })
  .meta({ id: 'Currency' });

export const describedCurrencySchema = currencySchema
  .extend({
    providers: z.array(z.string()).meta({ description: 'Keys of the sources that publish it, sorted' }),
    peg: z
      .object({
        base: z.string().meta({ description: 'The currency it is held to' }),
        rate: z.number().meta({ description: 'Units for one unit of base' }),
        authority: z.string(),
        source: z.string(),
      })
      .optional()
      .meta({ description: 'Only where its newest rate is that of a peg' }),
  })
  .meta({ id: 'DescribedCurrency' });
