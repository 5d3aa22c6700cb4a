import * as z from 'zod';
import { WINDOW_DAYS } from '../../../core/domain/blend/carry-forward.js';
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
import { integerParameter } from '../../parameters/utility-parameters.js';
import { SHAPES } from '../encoding/rates-object.js';

export function choice<const T extends readonly [string, ...string[]]>(
  words: T,
  about: { description: string; default?: string; examples?: string[] },
) {
  return oneOf(words).optional().meta(about);
}

export function day(description: string, example: string) {
  return dateParameter.optional().meta({ description, examples: [example] });
}

export function details<const T extends readonly [string, ...string[]]>(words: T, description: string) {
  return listOf(words)
    .optional()
    .meta({ description, examples: [words[0]] });
}

/** The details that `expand` can add to rows. */
export const EXPANSIONS = ['providers', 'stats', 'quality', 'sides'] as const;

export type Expansion = (typeof EXPANSIONS)[number];

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
  date: day('The latest rates as of this day instead of today.', '2026-03-02'),
  when: choice(['before', 'next'], {
    description:
      'Which row to return for `date`, by default the latest up to that day. before: the latest row before that day. next: the first row on that day or within the 14 days after it, as some tax rules require. Requires `date`.',
  }),
  from: day('First day of a range. Without it, the response contains the latest rates.', '2026-01-01'),
  to: day('Last day of the range; by default today (UTC). Requires `from`.', '2026-03-31'),
  group: choice(GROUPS, {
    description:
      'Return means of ISO weeks, months, quarters or years, dated with the first day of the period, or of the whole range, dated `from`. If a peg holds for a whole period, the mean is the peg. Requires `from`.',
  }),
  fill: choice(['forward'], {
    description:
      'forward: return a row for every calendar day, with the latest rate up to that day; `observed` is the day of that rate. Requires `from`.',
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

export const coverageQuery = ratesQuery.pick({ base: true, quotes: true, ...SOURCES }).extend({
  base: currencyCode.optional().meta({ description: 'Base currency', default: 'EUR' }),
  quotes: currencyList
    .optional()
    .meta({ description: 'Return only these currencies: codes separated by commas' }),
});
