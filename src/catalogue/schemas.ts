import * as z from 'zod';
import { cadence, providerFacts } from '../../core/domain/providers.js';
import { VALIDITY_PERIODS } from '../../core/domain/validity.js';

export const currencySchema = z
  .object({
    iso_code: z.string().meta({ description: 'ISO 4217 code, or the one in common use' }),
    iso_numeric: z.string().nullable().meta({ description: 'ISO 4217 number; null if ISO lists none' }),
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
        base: z.string().meta({ description: 'The currency it is pegged to' }),
        rate: z.number().meta({ description: 'Units for one unit of base' }),
        authority: z.string(),
        source: z.string(),
      })
      .optional()
      .meta({ description: 'Only if its newest rate is a peg' }),
  })
  .meta({ id: 'DescribedCurrency' });

export type ListedCurrency = z.output<typeof currencySchema>;

export type DescribedCurrency = z.output<typeof describedCurrencySchema>;

export const providerSchema = z
  .object({
    ...providerFacts.shape,
    start_date: z.iso
      .date()
      .nullable()
      .meta({ description: 'First observation; null before the first ingest' }),
    end_date: z.iso.date().nullable().meta({ description: 'Newest observation' }),
    kind: z.enum(['observed', 'official']).meta({
      description: 'observed: a rate of a day; official: a rate set for a period, such as a customs rate',
    }),
    period: z
      .enum(VALIDITY_PERIODS)
      .nullable()
      .meta({
        description:
          'How long an official rate is valid. day: until the next list; month_end: from the last day of a month, and quarter: ' +
          'from the last day of a quarter, until the next such day',
      }),
    blended: z.boolean().meta({ description: 'Whether its rates are part of the blend' }),
    publish_cadence: cadence.nullable().meta({ description: 'Null for an archive' }),
    frequency: cadence.meta({ description: 'The period that each rate covers' }),
    publish_schedule: z.string().nullable().meta({
      description: 'When it is expected to publish: a cron expression in UTC; null for an archive',
    }),
    next_publish_at: z.iso.datetime().nullable().meta({
      description: 'The next scheduled time; null for an archive',
    }),
    publishes_missed: z
      .number()
      .int()
      .nullable()
      .meta({
        description:
          'Number of publications due since end_date that have not arrived, in units of publish_cadence; ' +
          'null for an archive and before the first ingest',
      }),
    currencies: z
      .array(z.string())
      .meta({ description: 'Every currency that it has ever published, sorted' }),
    unknown_currencies: z
      .array(z.string())
      .meta({ description: 'Codes in its stored rates that Almanac does not know as currencies, sorted' }),
    last_success_at: z.iso.datetime().nullable(),
    last_attempt_at: z.iso.datetime().nullable(),
    status: z.enum(['fresh', 'late', 'failing', 'needs_key', 'archive', 'pending']),
  })
  .meta({ id: 'Provider' });

export type ListedProvider = z.output<typeof providerSchema>;
