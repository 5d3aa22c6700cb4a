import { z } from 'zod';
import { SUSPICION_REASONS } from '../../../core/domain/blend/suspicion.js';
import { receiptSchema } from '../../../core/domain/receipt/schema.js';
import { appliedRuleSchema } from '../../../core/domain/rules.js';
import { qualitySchema } from '../snapshot/quality.js';

export const pairPath = z.object({
  base: z
    .string()
    .meta({ description: 'Base currency: the rate is the price of one unit of it', examples: ['EUR'] }),
  quote: z.string().meta({ description: 'Currency of the price', examples: ['USD'] }),
});

export const providerPath = z.object({
  key: z.string().meta({ description: 'Key of the provider', examples: ['ECB'] }),
});

export const minorUnitsSchema = z
  .record(z.string(), z.object({ currency: z.string(), per_unit: z.number() }))
  .meta({
    description:
      'Only where the base or the quote is a minor unit: which of them, of which currency, and how many are one unit of it',
    examples: [{ GBX: { currency: 'GBP', per_unit: 100 } }],
  });

export const fixedRatesSchema = z
  .record(
    z.string(),
    z.object({
      base: z.string().meta({ description: 'The currency that has replaced it' }),
      rate: z.number().meta({ description: 'Units for one unit of base, fixed for good' }),
      regulation: z.string().meta({ description: 'The law that has fixed it' }),
      source: z.string(),
    }),
  )
  .meta({
    description:
      'Only for a pair after the end of a currency of it: the fixed rates that the rate follows from, by currency',
    examples: [
      {
        DEM: {
          base: 'EUR',
          rate: 1.95583,
          regulation: 'Council Regulation (EC) No 2866/98',
          source: 'https://eur-lex.europa.eu/legal-content/EN/TXT/?uri=CELEX:31998R2866',
        },
      },
    ],
  });

const prices = z.record(z.string(), z.number());

export const v1DaySchema = z
  .object({ amount: z.number(), base: z.string(), date: z.iso.date(), rates: prices })
  .meta({ id: 'RatesOfDay' });

export const v1IntervalSchema = z
  .object({
    amount: z.number(),
    base: z.string(),
    start_date: z.iso.date(),
    end_date: z.iso.date(),
    rates: z.record(z.string(), prices),
  })
  .meta({ id: 'RatesOfInterval' });

const ofBase = { base: z.string(), minor_units: minorUnitsSchema.optional() };

/** The responses of `/v2/rates` with `shape`, besides the forms of `/v1`. */
export const ratesObjectSchema = z
  .union([
    z.object({
      ...ofBase,
      date: z.iso.date().nullable().meta({ description: 'That of the newest rate' }),
      rates: prices,
    }),
    z.object({
      ...ofBase,
      start_date: z.iso.date(),
      end_date: z.iso.date(),
      rates: z.record(z.string(), prices),
    }),
  ])
  .meta({
    id: 'RatesObject',
    description: 'With shape=object: rates by quote, of a range by date and quote',
  });

const marks = {
  suspect: z.literal(true).optional().meta({
    description: 'Held back from the blend until another source or the next rate agrees: see /v2/suspects',
  }),
  reason: z.enum(SUSPICION_REASONS).optional().meta({ description: 'Why it is suspect' }),
};

const sourceSchema = z.object({
  key: z.string(),
  date: z.iso.date().meta({ description: 'The day on which the source published the rate' }),
  rate: z.number().meta({ description: "The source's rate in the row's base" }),
  excluded: z.literal(true).optional().meta({ description: 'Left out: too far from the other sources' }),
  ...marks,
});

const statsSchema = z
  .object({
    first: z.number().nullable(),
    last: z.number().nullable().meta({ description: 'The closing rate of the period' }),
    last_date: z.iso.date().nullable(),
    low: z.number().nullable(),
    high: z.number().nullable(),
    average: z.number().nullable().meta({
      description:
        'Mean of the daily rates as shown; `rate` is the mean in dollars, divided by that of the base',
    }),
    days: z.int().meta({ description: 'Number of daily rows' }),
  })
  .meta({ description: 'Only with expand=stats: over the daily rows of the period within the range' });

export const rowSchema = z
  .object({
    date: z.iso.date().meta({
      description:
        'The older of the days of the newest rates of both currencies, so that a pair and its inverse have rows of the same days; with `group` the first day of the period',
    }),
    base: z.string(),
    quote: z.string(),
    rate: z.number().nullable().meta({
      description:
        'Units of the quote per unit of the base. Null only with `updated_after`: the row was removed, as when its only source restated it',
    }),
    minor_units: minorUnitsSchema.optional(),
    fixed: fixedRatesSchema.optional(),
    valid_from: z.iso.date().optional().meta({
      description:
        'First day for which an official rate is valid; only with a provider whose `kind` is official',
    }),
    valid_to: z.iso.date().optional().meta({
      description: 'Last day for which it is valid: the end of its period, or the day before an amendment',
    }),
    observed: z.iso.date().optional().meta({
      description: 'Only with fill=forward: the day of the value',
    }),
    ...marks,
    providers: z.array(sourceSchema).optional().meta({
      description: "Only with expand=providers; not on the base's own row or a pegged currency's",
    }),
    stats: statsSchema.optional(),
    quality: qualitySchema.optional(),
    buy: z.number().nullable().optional().meta({
      description:
        'Only with expand=sides: the rate at which the source buys the base; null if it publishes none',
    }),
    sell: z.number().nullable().optional().meta({ description: 'The rate at which it sells the base' }),
    receipt: receiptSchema.optional(),
    rule: appliedRuleSchema.optional().meta({ description: 'Only with `rule`: what has chosen the rate' }),
  })
  .meta({ id: 'Rate' });
