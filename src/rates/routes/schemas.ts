import { z } from 'zod';
import { WINDOW_DAYS } from '../../../core/domain/blend/carry-forward.js';
import { SUSPICION_REASONS } from '../../../core/domain/blend/suspicion.js';
import { receiptSchema } from '../../../core/domain/receipt/schema.js';
import {
  currencyCode,
  currencyList,
  dateParameter,
  instantParameter,
  listOf,
  oneOf,
  providerList,
} from '../../http/currency-parameters.js';
import { excerpt } from '../../http/excerpt.js';

/** What `expand` can add to rows. */
export const EXPANSIONS = ['providers', 'stats', 'quality'] as const;

export type Expansion = (typeof EXPANSIONS)[number];

const providers = providerList.optional().meta({
  description:
    'Only these sources, commas between keys. One: its own rows, rebased within its own data. Several: the blend of just those. Pegs apply in neither case.',
  examples: ['ECB'],
});
const expand = listOf(EXPANSIONS)
  .optional()
  .meta({
    type: 'string',
    description:
      'What rows have beside their rate, commas between. providers: where the rate comes from. quality: how many sources there were and how far apart. stats, with `group`: first, last, lowest, highest and average of the daily rows of the period.',
    examples: ['providers'],
  });
const pairExpand = listOf(['providers', 'quality', 'receipt'])
  .optional()
  .meta({
    type: 'string',
    description:
      "What the row has beside its rate, commas between: providers, quality, or alone receipt: every row behind it with its evidence, and how the rate is computed from them, be it a blend or one provider's own",
    examples: ['providers'],
  });
const precision = oneOf(['full'])
  .optional()
  .meta({
    type: 'string',
    enum: ['full'],
    description: 'full: twelve significant digits instead of those for display',
  });
const date = dateParameter.optional().meta({
  format: 'date',
  description: 'The newest rates as of this day instead of today',
  examples: ['2026-03-02'],
});

/** `as_of`, of all routes that answer rates. */
export const asOf = instantParameter.optional().meta({
  description:
    'What was known at this instant (RFC 3339, or a date for its end in UTC): the rates that were recorded by then, as they were then, blended by the present method, which `x-blend-method` names',
  examples: ['2026-03-05T16:00:00Z'],
});

const updatedAfter = instantParameter.optional().meta({
  description:
    'Only rows that are new or differ from what was known at this instant, and those that are gone, whose `rate` is null. The next instant to ask for is in `x-known-at`.',
  examples: ['2026-03-05T16:00:00Z'],
});

const GROUPS = ['week', 'month', 'quarter', 'year', 'range'] as const;
const MAX_FILL_DAYS = 366;

/** What `GET /v2/rates` takes. */
export const ratesQuery = z.object({
  base: currencyCode.optional().meta({
    type: 'string',
    description: 'Currency of which one unit is priced',
    default: 'EUR',
    examples: ['EUR'],
  }),
  quotes: currencyList.optional().meta({
    description: 'Only these currencies, commas between codes. It never changes a rate.',
    examples: ['USD,GBP'],
  }),
  providers,
  expand,
  date,
  from: dateParameter.optional().meta({
    format: 'date',
    description: 'First day of a range. Without it the response has the newest rates.',
    examples: ['2026-01-01'],
  }),
  to: dateParameter.optional().meta({
    format: 'date',
    description: 'Last day of the range; today, UTC, where missing. Needs `from`.',
    examples: ['2026-03-31'],
  }),
  group: oneOf(GROUPS)
    .optional()
    .meta({
      type: 'string',
      enum: [...GROUPS],
      description:
        'Means over ISO weeks, months, quarters or years, dated with the first day of each, or over the whole range, dated `from`; wholly inside a peg, the peg. Needs `from`.',
    }),
  fill: oneOf(['forward'])
    .optional()
    .meta({
      type: 'string',
      enum: ['forward'],
      description:
        'forward: a row for every calendar day, with the newest value up to that day; `observed` is the day that it comes from. Needs `from`.',
    }),
  fill_days: z
    .string()
    .refine((text) => /^\d{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= MAX_FILL_DAYS, {
      error: (issue) =>
        `must be a number of days from 1 to ${MAX_FILL_DAYS}: ${excerpt(String(issue.input))}`,
    })
    .transform(Number)
    .optional()
    .meta({
      type: 'integer',
      minimum: 1,
      maximum: MAX_FILL_DAYS,
      default: WINDOW_DAYS,
      description: 'How many days a value is carried with `fill=forward`',
    }),
  precision,
  as_of: asOf,
  updated_after: updatedAfter,
  header: oneOf(['on', 'off'])
    .optional()
    .meta({
      type: 'string',
      enum: ['on', 'off'],
      default: 'on',
      description: 'off: CSV without the line of column names, for spreadsheets',
    }),
});

/** What `GET /v2/rate/{base}/{quote}` takes. */
export const pairQuery = ratesQuery
  .pick({ providers: true, date: true, precision: true, as_of: true, header: true })
  .extend({ expand: pairExpand });

export const pairPath = z.object({
  base: z.string().meta({ description: 'Currency of which one unit is priced', examples: ['EUR'] }),
  quote: z.string().meta({ description: 'Currency to price it in', examples: ['USD'] }),
});

export const providerPath = z.object({
  key: z.string().meta({ description: 'Key of the provider', examples: ['ECB'] }),
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
  rate: z.number().meta({ description: "The source's rate in terms of the row's base" }),
  excluded: z.literal(true).optional().meta({ description: 'Left out: too far from what the others say' }),
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
    days: z.int().meta({ description: 'How many daily rows there are' }),
  })
  .meta({ description: 'Only with expand=stats: over the daily rows of the period that lie in the range' });

const qualitySchema = z
  .union([
    z.object({
      sources: z.int().meta({ description: 'How many sources have contributed' }),
      excluded: z.int().meta({ description: 'How many of them were left out as outliers' }),
      spread: z.number().meta({ description: 'Highest less lowest rate that counted, divided by the rate' }),
      age_days: z.int().meta({ description: 'Days from the newest observation to the day requested' }),
      suspects: z.int().meta({ description: 'How many were held back as suspect' }),
    }),
    z.object({ peg: z.literal(true) }),
  ])
  .meta({ description: 'Only with expand=quality' });

export const rowSchema = z
  .object({
    date: z.iso.date(),
    base: z.string(),
    quote: z.string(),
    rate: z.number().nullable().meta({
      description:
        'Units of the quote per unit of the base. Null only with `updated_after`: the row is gone, as when its only source restated it',
    }),
    valid_from: z.iso.date().optional().meta({
      description:
        'First day for which an official rate is valid; only with a provider whose `kind` is official',
    }),
    valid_to: z.iso.date().optional().meta({
      description: 'Last day for which it is valid: the end of its period, or the day before an amendment',
    }),
    observed: z.iso.date().optional().meta({
      description: 'Only with fill=forward: the day that the value comes from',
    }),
    ...marks,
    providers: z.array(sourceSchema).optional().meta({
      description: "Only with expand=providers, and neither on the base's own row nor on a pegged currency's",
    }),
    stats: statsSchema.optional(),
    quality: qualitySchema.optional(),
    receipt: receiptSchema.optional(),
  })
  .meta({ id: 'Rate' });
