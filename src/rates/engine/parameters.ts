import { z } from 'zod';
import { amountIn } from '../../../core/domain/amount.js';
import { WINDOW_DAYS } from '../../../core/domain/blend/carry-forward.js';
import { RETURN_PERIODS, rules } from '../../../core/domain/rules.js';
import {
  currencyCode,
  currencyList,
  dateParameter,
  instantParameter,
  listOf,
  oneOf,
  pricedCode,
  pricedList,
  providerList,
} from '../../parameters/currency-parameters.js';
import { excerpt } from '../../parameters/excerpt.js';
import { SHAPES } from '../encoding/rates-object.js';
import { invalidAmount } from '../lines/amounts.js';

function choice<const T extends readonly [string, ...string[]]>(
  words: T,
  about: { description: string; default?: string; examples?: string[] },
) {
  return oneOf(words)
    .optional()
    .meta({ type: 'string', enum: [...words], ...about });
}

function day(description: string, example: string) {
  return dateParameter.optional().meta({ format: 'date', description, examples: [example] });
}

function details<const T extends readonly [string, ...string[]]>(words: T, description: string) {
  return listOf(words)
    .optional()
    .meta({ type: 'string', description, examples: [words[0]] });
}

/** The details that `expand` can add to rows. */
export const EXPANSIONS = ['providers', 'stats', 'quality', 'sides'] as const;

export type Expansion = (typeof EXPANSIONS)[number];

const pairExpand = details(
  ['providers', 'quality', 'sides', 'receipt'],
  "Details to add, separated by commas: providers, quality, sides, or receipt alone: every row behind the rate with its evidence, and how the rate is computed from them, for a blend or one provider's own rate",
);

const GROUPS = ['week', 'month', 'quarter', 'year', 'range'] as const;
const MAX_FILL_DAYS = 366;

const MINOR_UNITS = 'GBX, ILA and ZAC are hundredths of GBP, ILS and ZAR.';

export const ratesQuery = z.object({
  base: pricedCode.optional().meta({
    type: 'string',
    description: `Base currency: the rate is the price of one unit of it. ${MINOR_UNITS}`,
    default: 'EUR',
    examples: ['EUR'],
  }),
  quotes: pricedList.optional().meta({
    description: `Only these currencies: codes separated by commas. Never changes a rate. ${MINOR_UNITS}`,
    examples: ['USD,GBP'],
  }),
  providers: providerList.optional().meta({
    description:
      "Only these sources: keys separated by commas. One: its own rows, rebased within its own data. Several: the blend of these alone. Pegs don't apply.",
    examples: ['ECB'],
  }),
  exclude: providerList.optional().meta({
    description:
      "The blend without these sources: keys separated by commas. Pegs don't apply. Can't be combined with `providers`.",
    examples: ['NBU'],
  }),
  expand: details(
    EXPANSIONS,
    'Details to add to each row, separated by commas. providers: the sources of the rate. quality: how many sources there were and how far apart. stats, with `group`: first, last, lowest, highest and average of the daily rows of the period. sides, with exactly one source: the rates at which it buys and sells the base. Receipts are for one pair at a time: use `/v2/rate/{base}/{quote}` or `/v2/convert/{base}/{quote}`.',
  ),
  side: choice(['buy', 'sell'], {
    description:
      "The rate at which the source buys or sells the base, where it publishes both sides, in place of its rate. The sides of an inverse pair are swapped; crosses have none. Needs exactly one source, whose rates aren't set for a period.",
  }),
  date: day('The newest rates as of this day instead of today', '2026-03-02'),
  when: choice(['before', 'next'], {
    description:
      'Which row `date` means, where it is not the newest up to that day. before: the newest strictly before it. next: the first of that day or later, within 14 days, as some tax rules want it. Needs `date`.',
  }),
  from: day('First day of a range. Without it, the response has the newest rates.', '2026-01-01'),
  to: day('Last day of the range; today, UTC, by default. Needs `from`.', '2026-03-31'),
  group: choice(GROUPS, {
    description:
      'Means over ISO weeks, months, quarters or years, dated with the first day of each, or over the whole range, dated `from`. A period wholly inside a peg has the peg. Needs `from`.',
  }),
  fill: choice(['forward'], {
    description:
      'forward: a row for every calendar day, with the newest value up to that day; `observed` is the day of the value. Needs `from`.',
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
  precision: choice(['full'], {
    description: 'full: twelve significant digits instead of those for display',
  }),
  as_of: instantParameter.optional().meta({
    description:
      'Rates as they were known at this instant (RFC 3339, or a date for its end in UTC), blended by the present method, which `x-blend-method` names',
    examples: ['2026-03-05T16:00:00Z'],
  }),
  updated_after: instantParameter.optional().meta({
    description:
      'Only rows that are new or changed since this instant, and removed ones, whose `rate` is null. Use `x-known-at` of the response for the next request.',
    examples: ['2026-03-05T16:00:00Z'],
  }),
  shape: choice(SHAPES, {
    description:
      'An object in place of rows, in JSON. object: the rates by quote, of a range by date. v1: the same in the form of `/v1`, without the base, with the first and the last day that there are, and a 404 where there is none.',
  }),
  header: choice(['on', 'off'], {
    default: 'on',
    description: 'off: CSV without the header line, for spreadsheets',
  }),
});

/** The parameters that select sources, on all routes but those of one provider. */
export const SOURCES = { providers: true, exclude: true } as const;

export const sources = Object.keys(SOURCES) as (keyof typeof SOURCES)[];

export const JOINED = { joined: ['quotes', ...sources] };

const [anyRule = '', ...otherRules] = new Set(rules.map(({ id }) => id));
const DAYS_OF_MEAN = 'With a rule of means: the days that it is of, both included';

/** Selects a rate by a rule of law, which `resolveRule` reads. */
export const ruleQuery = z.object({
  rule: choice([anyRule, ...otherRules], {
    description:
      'The rate that a law wants of `date`: the rule chooses the source and the day, and the response has its `rule`. ' +
      `\`/v2/rules\` has them all.\n\n| rule | source, day, pick | citation |\n| --- | --- | --- |\n${rules
        .map(({ id, source, day, pick, citation, needs }) => {
          const from = needs ? `${source} (custom source)` : source;
          return `| \`${id}\` | ${[from, day, pick].filter(Boolean).join(', ')} | ${citation} |`;
        })
        .join('\n')}\n\nThis is no legal advice.`,
    examples: ['eu-customs'],
  }),
  period: choice(RETURN_PERIODS, {
    description: 'With a rule for returns: whether these are monthly or quarterly',
    default: 'quarter',
  }),
  from: day(DAYS_OF_MEAN, '2025-01-01'),
  to: day(DAYS_OF_MEAN, '2025-03-31'),
});

/** The parameters of a rule, which the routes of a provider do not support. */
export const RULE = { rule: true, period: true, from: true, to: true } as const;

/** The parameters of `GET /v2/rate/{base}/{quote}`. */
export const pairQuery = ratesQuery
  .pick({ ...SOURCES, side: true, date: true, when: true, precision: true, as_of: true, header: true })
  .extend({ expand: pairExpand, ...ruleQuery.shape });

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
      'A decimal number of up to 30 digits; may be negative, and have an exponent: 1e-7 is 0.0000001, with eight digits',
    examples: ['1250.00'],
  });

/** The parameters of `POST /v2/convert`. */
export const conversionsQuery = ratesQuery
  .pick({ date: true, when: true, ...SOURCES, side: true, as_of: true })
  .extend(ruleQuery.shape);

/** The parameters of `GET /v2/convert/{base}/{quote}`. */
export const conversionQuery = conversionsQuery.extend({
  amount,
  expand: details(
    ['receipt'],
    'receipt: every row behind the rate with its evidence, and how the rate is computed from them',
  ),
});

export const coverageQuery = ratesQuery.pick({ base: true, quotes: true, ...SOURCES }).extend({
  base: currencyCode
    .optional()
    .meta({ type: 'string', description: 'Base currency', default: 'EUR', examples: ['EUR'] }),
  quotes: currencyList
    .optional()
    .meta({ description: 'Only these currencies: codes separated by commas', examples: ['USD,GBP'] }),
});
