import * as z from 'zod';
import { oneOf, providerList } from '../parameters/currency-parameters.js';

export const currenciesQuery = z.object({
  scope: oneOf(['all'])
    .optional()
    .meta({
      type: 'string',
      enum: ['all'],
      description: 'all: include legacy and retired currencies',
    }),
  providers: providerList.optional().meta({
    description:
      'Only currencies that these sources publish, with the first and last day there; keys separated by commas',
    examples: ['ECB'],
  }),
});

export const currencyPath = z.object({
  code: z.string().meta({ description: 'Currency code, in any case', examples: ['TMT'] }),
});

/** A test checks these against the schemas. */
export const exampleCurrencies = [
  {
    iso_code: 'AED',
    iso_numeric: '784',
    name: 'United Arab Emirates Dirham',
    symbol: 'د.إ',
    start_date: '1998-12-21',
    end_date: '2026-05-22',
  },
  {
    iso_code: 'USD',
    iso_numeric: '840',
    name: 'United States Dollar',
    symbol: '$',
    start_date: '1998-12-21',
    end_date: '2026-05-22',
  },
];

export const exampleCurrency = {
  iso_code: 'TMT',
  iso_numeric: '934',
  name: 'Turkmenistani Manat',
  symbol: 'm',
  start_date: '2014-12-29',
  end_date: '2026-05-22',
  providers: ['BDI', 'CBR', 'CBU', 'LB', 'NBG', 'NBM', 'NBP', 'NBT'],
  peg: {
    base: 'USD',
    rate: 3.5,
    authority: 'Central Bank of Turkmenistan',
    source:
      'https://www.bloomberg.com/news/articles/2015-01-02/turkmenistan-devalues-currency-19-amid-oil-plunge-ruble-crisis',
  },
};
