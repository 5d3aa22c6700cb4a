import * as z from 'zod';
import { minorUnitsSchema } from '../../../core/domain/currencies.js';
import { details, ratesQuery, SOURCES } from '../engine/parameters.js';
import { ruleQuery } from '../rules/parameters.js';

export const pairPath = z.object({
  base: z
    .string()
    .meta({ description: 'Base currency: the rate is the price of one unit', examples: ['EUR'] }),
  quote: z.string().meta({ description: 'Currency of the price', examples: ['USD'] }),
});

const pairExpand = details(
  ['providers', 'quality', 'sides', 'receipt'],
  'Details to add, separated by commas: providers, quality, sides. Or receipt alone: every row behind the rate with its evidence, and how the rate is computed from these rows',
);

/** The parameters of `GET /v2/rate/{base}/{quote}`. */
export const pairQuery = ratesQuery
  .pick({ ...SOURCES, side: true, date: true, when: true, precision: true, as_of: true, header: true })
  .extend({ expand: pairExpand, ...ruleQuery.shape });

export const providerPath = z.object({
  key: z.string().meta({ description: 'Key of the source', examples: ['ECB'] }),
});

const prices = z.record(z.string(), z.number());

export const v1DaySchema = z
  .object({ amount: z.number(), base: z.string(), date: z.iso.date(), rates: prices })
  .meta({ id: 'RatesOfDay' });

const interval = { start_date: z.iso.date(), end_date: z.iso.date(), rates: z.record(z.string(), prices) };

export const v1IntervalSchema = z
  .object({ amount: z.number(), base: z.string(), ...interval })
  .meta({ id: 'RatesOfInterval' });

const ofBase = { base: z.string(), minor_units: minorUnitsSchema.optional() };

/** The responses of `/v2/rates` with `shape`, besides the forms of `/v1`. */
export const ratesObjectSchema = z
  .union([
    z.object({
      ...ofBase,
      date: z.iso.date().nullable().meta({ description: 'The date of the latest rate' }),
      rates: prices,
    }),
    z.object({ ...ofBase, ...interval }),
  ])
  .meta({
    id: 'RatesObject',
    description: 'With shape=object: rates by quote; for a range, by date and quote',
  });
