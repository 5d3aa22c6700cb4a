import * as z from 'zod';
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
import { invalidAmount } from '../../parameters/hints.js';
import { parsedText } from '../../parameters/query.js';
import { integerParameter } from '../../parameters/utility-parameters.js';
import { SHAPES } from '../encoding/rates-object.js';

function choice<const T extends readonly [string, ...string[]]>(
  words: T,
  about: { description: string; default?: string; examples?: string[] },
) {
  return oneOf(words).optional().meta(about);
}

function day(description: string, example: string) {
  return dateParameter.optional().meta({ description, examples: [example] });
}

function details<const T extends readonly [string, ...string[]]>(words: T, description: string) {
  return listOf(words)
    .optional()
    .meta({ description, examples: [words[0]] });
}

/** The details that `expand` can add to rows. */
export const EXPANSIONS = ['providers', 'stats', 'quality', 'sides'] as const;

export type Expansion = (typeof EXPANSIONS)[number];

const pairExpand = details(
  ['providers', 'quality', 'sides', 'receipt'],
  'Details to add, separated by commas: providers, quality, sides. Or receipt alone: every row behind the rate with its evidence, and how the rate is computed from these rows',
);

const GROUPS = ['week', 'month', 'quarter', 'year', 'range'] as const;
const MAX_FILL_DAYS = 366;

export const ratesQuery = z.object({
  base: pricedCode.optional().meta({
    description:
      'Base currency: the rate is the price of one unit. GBX, ILA and ZAC are hundredths of GBP, ILS and ZAR.',
    default: 'EUR',
  }),
  quotes: pricedList.optional().meta({
    description: 'Return only these currencies: codes separated by commas. This never changes a rate.',
  }),
  providers: providerList.optional().meta({
    description:
      "Use only these sources: keys separated by commas. One source: its own rows, converted with its own rates. Several: a blend of only these. Pegs don't apply.",
  }),
  exclude: providerList.optional().meta({
    description:
      "Blend without these sources: keys separated by commas. Pegs don't apply. Can't be combined with `providers`.",
    examples: ['NBU'],
  }),
  expand: details(
    EXPANSIONS,
    'Details to add to each row, separated by commas. providers: the rate of each source. quality: the number of sources and how far apart they are. stats, with `group`: the first, last, lowest, highest and average daily rate of the period. sides, with exactly one source: the rates at which it buys and sells the base. Receipts are available for one pair at a time: use `/v2/rate/{base}/{quote}` or `/v2/convert/{base}/{quote}`.',
  ),
  side: choice(['buy', 'sell'], {
    description:
      "Return the rate at which the source buys or sells the base in place of its rate. The sides of an inverse pair are swapped; crosses have none. Requires exactly one source, whose rates aren't set for a period.",
  }),
  date: day('The newest rates as of this day instead of today', '2026-03-02'),
  when: choice(['before', 'next'], {
    description:
      'Which row to return for `date`, by default the newest up to that day. before: the newest row before that day. next: the first row on that day or within the 14 days after it, as some tax rules require. Requires `date`.',
  }),
  from: day('First day of a range. Without it, the response contains the newest rates.', '2026-01-01'),
  to: day('Last day of the range; by default today (UTC). Requires `from`.', '2026-03-31'),
  group: choice(GROUPS, {
    description:
      'Return means of ISO weeks, months, quarters or years, dated with the first day of the period, or of the whole range, dated `from`. If a peg holds for a whole period, the mean is the peg. Requires `from`.',
  }),
  fill: choice(['forward'], {
    description:
      'forward: return a row for every calendar day, with the newest rate up to that day; `observed` is the day of that rate. Requires `from`.',
  }),
  fill_days: integerParameter('fill_days', 1, MAX_FILL_DAYS)
    .meta({ default: WINDOW_DAYS, description: 'For how many days `fill=forward` carries a rate forward' })
    .optional(),
  precision: choice(['full'], {
    description: 'full: return twelve significant digits instead of rounding for display',
  }),
  as_of: instantParameter.optional().meta({
    description:
      'Return rates as known at this instant (RFC 3339; a date means its end in UTC), blended by the present method, which `x-blend-method` names',
    examples: ['2026-03-05T16:00:00Z'],
  }),
  updated_after: instantParameter.optional().meta({
    description:
      'Return only rows added or changed since this instant, and removed rows with a `rate` of null. For the next request, use the `x-known-at` header of this response.',
    examples: ['2026-03-05T16:00:00Z'],
  }),
  shape: choice(SHAPES, {
    description:
      'Return a JSON object in place of rows. object: rates by quote, and for a range by date. v1: the format of `/v1`, without the base, with the first and last day that have rates, and with a 404 if there are none.',
  }),
  header: choice(['on', 'off'], {
    default: 'on',
    description: 'off: omit the header line of CSV, for spreadsheets',
  }),
});

/** The parameters that select sources, on all routes but those of one provider. */
export const SOURCES = { providers: true, exclude: true } as const;

export const sources = Object.keys(SOURCES) as (keyof typeof SOURCES)[];

export const JOINED = { joined: ['quotes', ...sources] };

const [anyRule = '', ...otherRules] = new Set(rules.map(({ id }) => id));
const DAYS_OF_MEAN = 'For a rule that uses a mean: the first and last day of the mean, both included';

/** Selects a rate by a rule of law, which `resolveRule` reads. */
export const ruleQuery = z.object({
  rule: choice([anyRule, ...otherRules], {
    description:
      'Return the rate that a law requires for `date`. The rule selects the source and the day, and the response names it in `rule`. ' +
      `\`/v2/rules\` describes all rules.\n\n| rule | source, day, pick | citation |\n| --- | --- | --- |\n${rules
        .map(({ id, source, day, pick, citation, needs }) => {
          const from = needs ? `${source} (custom source)` : source;
          return `| \`${id}\` | ${[from, day, pick].filter(Boolean).join(', ')} | ${citation} |`;
        })
        .join('\n')}\n\nThis is not legal advice.`,
    examples: ['eu-customs'],
  }),
  period: choice(RETURN_PERIODS, {
    description: 'For a rule about returns: whether they are monthly or quarterly',
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

const amount = parsedText(amountIn, invalidAmount).meta({
  description:
    'A decimal number of up to 30 digits. It may be negative and may have an exponent: 1e-7 is 0.0000001, with eight digits',
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
    'receipt: every row behind the rate with its evidence, and how the rate is computed from these rows',
  ),
});

export const coverageQuery = ratesQuery.pick({ base: true, quotes: true, ...SOURCES }).extend({
  base: currencyCode.optional().meta({ description: 'Base currency', default: 'EUR' }),
  quotes: currencyList
    .optional()
    .meta({ description: 'Return only these currencies: codes separated by commas' }),
});
