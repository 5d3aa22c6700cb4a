import * as z from 'zod';
import { SUSPICION_REASONS } from '../../../core/domain/blend/suspicion.js';
import { minorUnitsSchema } from '../../../core/domain/currencies.js';
import { fixedRatesSchema } from '../../../core/domain/pegs.js';
import { receiptSchema } from '../../../core/domain/receipt/schema.js';
import { appliedRuleSchema } from '../../../core/domain/rules.js';
import { qualitySchema, statsSchema } from '../snapshot/row.js';

export const ruleSchema = appliedRuleSchema
  .optional()
  .meta({ description: 'Only with `rule`: the rule that selected the rate' });

const marks = {
  suspect: z.literal(true).optional().meta({
    description:
      'Held back from the blend until another source or the next rate confirms it: see /v2/suspects',
  }),
  reason: z.enum(SUSPICION_REASONS).optional().meta({ description: 'Why it is suspect' }),
};

const sourceSchema = z.object({
  key: z.string(),
  date: z.iso.date().meta({ description: 'The day on which the source published the rate' }),
  rate: z.number().meta({ description: "The source's rate, converted to the base of the row" }),
  excluded: z
    .literal(true)
    .optional()
    .meta({ description: 'Excluded from the blend: too far from the other sources' }),
  ...marks,
});

export const rowSchema = z
  .object({
    date: z.iso.date().meta({
      description:
        'The older of the days on which the two currencies have their latest rates, so a pair and its inverse have the same dates. With `group`, the first day of the period',
    }),
    base: z.string(),
    quote: z.string(),
    rate: z.number().nullable().meta({
      description:
        'Units of the quote per unit of the base. Null only with `updated_after`, if the row was removed, for example because its only source corrected it',
    }),
    minor_units: minorUnitsSchema.optional(),
    fixed: fixedRatesSchema.optional(),
    valid_from: z.iso.date().optional().meta({
      description:
        'First day on which an official rate is valid; only for a provider whose `kind` is official',
    }),
    valid_to: z.iso.date().optional().meta({
      description: 'Last day on which it is valid: the end of its period, or the day before an amendment',
    }),
    observed: z.iso.date().optional().meta({
      description: 'Only with fill=forward: the day on which the rate was observed',
    }),
    ...marks,
    providers: z.array(sourceSchema).optional().meta({
      description: 'Only with expand=providers. Absent for the base itself and for pegged currencies',
    }),
    stats: statsSchema.optional(),
    quality: qualitySchema.optional(),
    buy: z.number().nullable().optional().meta({
      description:
        'Only with expand=sides: the rate at which the source buys the base; null if it publishes none',
    }),
    sell: z.number().nullable().optional().meta({ description: 'The rate at which it sells the base' }),
    receipt: receiptSchema.optional(),
    rule: ruleSchema,
  })
  .meta({ id: 'Rate' });
