import * as z from 'zod';
import { cadence, providerFacts } from '../../core/domain/providers.js';
import { VALIDITY_PERIODS } from '../../core/domain/validity.js';

export const currencySchema = z
  .object({
    iso_code: z.string().meta({ description: 'ISO 4217 code, or the one in common use', example: 'TMT' }),
    iso_numeric: z
      .string()
      .nullable()
      .meta({ description: 'ISO 4217 number; null if ISO lists none', example: '934' }),
    name: z.string().meta({ example: 'Turkmenistani Manat' }),
    symbol: z.string().meta({ example: 'm' }),
    start_date: z.iso.date().meta({ description: 'First day with data', example: '2014-12-29' }),
    end_date: z.iso.date().meta({ description: 'Last day with data', example: '2026-05-22' }),
  })
  .meta({ id: 'Currency' });

export const describedCurrencySchema = currencySchema
  .extend({
    providers: z.array(z.string()).meta({
      description: 'Keys of the sources that publish it, sorted',
      example: ['BDI', 'CBR', 'CBU', 'LB', 'NBG', 'NBM', 'NBP', 'NBT'],
    }),
    peg: z
      .object({
        base: z.string().meta({ description: 'The currency it is pegged to' }),
        rate: z.number().meta({ description: 'Units for one unit of base' }),
        authority: z.string(),
        source: z.string(),
      })
      .optional()
      .meta({
        description: 'Only if its latest rate is a peg',
        example: {
          ...{ base: 'USD', rate: 3.5, authority: 'Central Bank of Turkmenistan' },
          source:
            'https://www.bloomberg.com/news/articles/2015-01-02/turkmenistan-devalues-currency-19-amid-oil-plunge-ruble-crisis',
        },
      }),
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
      .meta({ description: 'First observation; null before the first ingest', example: '1999-01-04' }),
    end_date: z.iso.date().nullable().meta({ description: 'Latest observation', example: '2026-03-18' }),
    kind: z.enum(['observed', 'official']).meta({
      description: 'observed: a rate of a day; official: a rate set for a period, such as a customs rate',
    }),
    period: z
      .enum(VALIDITY_PERIODS)
      .nullable()
      .meta({
        example: null,
        description:
          'How long an official rate is valid. day: until the next list; month_end: from the last day of a month, and quarter: ' +
          'from the last day of a quarter, until the next such day',
      }),
    blended: z.boolean().meta({ description: 'Whether its rates are part of the blend', example: true }),
    publish_cadence: cadence.nullable().meta({ description: 'Null for an archive' }),
    frequency: cadence.meta({ description: 'The period that each rate covers' }),
    publish_schedule: z.string().nullable().meta({
      description: 'When it is expected to publish: a cron expression in UTC; null for an archive',
      example: '*/30 14-16 * * 1-5',
    }),
    next_publish_at: z.iso.datetime().nullable().meta({
      description: 'The next scheduled time; null for an archive',
      example: '2026-03-19T14:00:00.000Z',
    }),
    publishes_missed: z
      .number()
      .int()
      .nullable()
      .meta({
        description:
          'Number of publications due since end_date that have not arrived, in units of publish_cadence; ' +
          'null for an archive and before the first ingest',
        example: 0,
      }),
    currencies: z
      .array(z.string())
      .meta({ description: 'Every currency that it has ever published, sorted', example: ['EUR', 'USD'] }),
    unknown_currencies: z.array(z.string()).meta({
      description: 'Codes in its stored rates that Almanac does not know as currencies, sorted',
      example: [],
    }),
    last_success_at: z.iso.datetime().nullable().meta({ example: '2026-03-18T15:30:02.114Z' }),
    last_attempt_at: z.iso.datetime().nullable().meta({ example: '2026-03-18T15:30:01.420Z' }),
    status: z.enum(['fresh', 'late', 'failing', 'needs_key', 'archive', 'pending']),
  })
  .meta({ id: 'Provider' });

export type ListedProvider = z.output<typeof providerSchema>;
