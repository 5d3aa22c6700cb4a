import { z } from 'zod';
import { amountIn } from '../../../core/domain/amount.js';
import { WINDOW_DAYS } from '../../../core/domain/blend/carry-forward.js';
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
import { invalidAmount } from '../convert/amounts.js';

/** What `expand` can add to rows. */
export const EXPANSIONS = ['providers', 'stats', 'quality'] as const;

export type Expansion = (typeof EXPANSIONS)[number];

const providers = providerList.optional().meta({
  description:
    'Only these sources, commas between keys. One: its own rows, rebased within its own data. Several: the blend of just those. Pegs apply in neither case.',
  examples: ['ECB'],
});
const exclude = providerList.optional().meta({
  description:
    'The blend without these sources, commas between keys. Pegs do not apply, as with several `providers`, with which it does not go.',
  examples: ['NBU'],
});
const expand = listOf(EXPANSIONS)
  .optional()
  .meta({
    type: 'string',
    description:
      'What rows have beside their rate, commas between. providers: where the rate comes from. quality: how many sources there were and how far apart. stats, with `group`: first, last, lowest, highest and average of the daily rows of the period. Receipts are for one pair at a time: `/v2/rate/{base}/{quote}` and `/v2/convert/{base}/{quote}` have them.',
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
const asOf = instantParameter.optional().meta({
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
  exclude,
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
        `must be a number of days from 1 to ${MAX_FILL_DAYS}, not ${excerpt(String(issue.input))}`,
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

/** The parameters that choose sources: those of all routes but the ones of a provider. */
export const SOURCES = { providers: true, exclude: true } as const;

/** The lists that may be given in parts. */
export const JOINED = { joined: ['quotes', ...Object.keys(SOURCES)] };

/** What `GET /v2/rate/{base}/{quote}` takes. */
export const pairQuery = ratesQuery
  .pick({ ...SOURCES, date: true, precision: true, as_of: true, header: true })
  .extend({ expand: pairExpand });

const amount = z
  .string()
  .transform((text, issues) => {
    const found = amountIn(text);
    if (found !== undefined) return found;
    issues.addIssue({ code: 'custom', message: invalidAmount(text) });
    return z.NEVER;
  })
  .meta({
    type: 'string',
    description:
      'A decimal number of up to 30 digits; may be negative, and have an exponent: 1e-7 is 0.0000001, of eight digits',
    examples: ['1250.00'],
  });
const when = oneOf(['before'])
  .optional()
  .meta({
    type: 'string',
    enum: ['before'],
    description: 'before: the newest rate strictly before `date`, as some tax rules want it',
  });
const conversionExpand = listOf(['receipt'])
  .optional()
  .meta({
    type: 'string',
    description:
      'receipt: every row behind the rate with its evidence, and how the rate is computed from them',
    examples: ['receipt'],
  });
/** What `POST /v2/convert` takes. */
export const conversionsQuery = ratesQuery.pick({ date: true, ...SOURCES, as_of: true }).extend({ when });

/** What `GET /v2/convert/{base}/{quote}` takes. */
export const conversionQuery = conversionsQuery.extend({ amount, expand: conversionExpand });

/** What `GET /v2/coverage` takes. */
export const coverageQuery = ratesQuery.pick({ base: true, quotes: true, ...SOURCES });
