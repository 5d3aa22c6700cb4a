import * as z from 'zod';
import { readDataFile } from '../process/project-files.js';
import { currencyCode } from './currencies.js';
import { addDays, type CalendarDate, eachDay, isoWeekday, periodAround } from './dates.js';
import type { DayPick } from './day-pick.js';
import { countryCode, periodOf } from './providers.js';
import { VALIDITY_PERIODS } from './validity.js';

export const RETURN_PERIODS = ['month', 'quarter'] as const;

const ruleId = z
  .string()
  .regex(/^[a-z]{2}(-[a-z]+)+$/)
  .meta({ description: 'The value for `rule=`' });

const facts = {
  id: ruleId,
  jurisdiction: countryCode.meta({ description: 'Country code, or EU' }),
  use: z.string().meta({ description: 'What the rate is for' }),
  citation: z.string().meta({ description: 'The provision of the law' }),
};

const example = z.strictObject({
  input: z.strictObject({
    base: currencyCode,
    quote: currencyCode,
    amount: z.string(),
    date: z.iso.date().optional(),
    from: z.iso.date().optional(),
    to: z.iso.date().optional(),
    period: z.enum(RETURN_PERIODS).optional(),
  }),
  output: z.strictObject({
    observed: z.iso.date().meta({ description: 'The date of the rate' }),
    rate: z.number().positive().meta({ description: 'Twelve significant digits' }),
    result: z.string(),
  }),
});

export const ruleSchema = z
  .strictObject({
    ...facts,
    source: z.string().meta({ description: 'The provider whose rates the law requires' }),
    day: z
      .enum(['same', 'month-end', 'quarter-end', 'penultimate-wednesday'])
      .nullable()
      .meta({
        description:
          'The key day. same: `date`; month-end, quarter-end: the last day of its month or quarter; ' +
          'penultimate-wednesday: the second-to-last Wednesday of the previous month; null: the rule takes `from` and `to`',
      }),
    pick: z.enum(['on-or-before', 'before', 'next', 'valid', 'mean']).meta({
      description:
        'Which rate applies. on-or-before: the newest up to the key day; before: the newest before it; next: the ' +
        'first on it or later; valid: the one valid on it; mean: the mean of the daily rates from `from` to `to`',
    }),
    since: z.iso
      .date()
      .nullable()
      .meta({ description: 'First day on which the rule applies; null if unknown' }),
    until: z.iso
      .date()
      .nullable()
      .meta({ description: 'Last day on which the rule applies; null while it is in force' }),
    note: z.string(),
    examples: z.array(example).meta({ description: 'Empty if the operator provides the rates' }),
  })
  .meta({ id: 'Rule' });

export const unavailableRuleSchema = z
  .strictObject({
    ...facts,
    source: ruleSchema.shape.source,
    reason: z.string().meta({ description: 'Why the rule is unavailable' }),
    missing: z.string().meta({ description: 'How an operator can provide the rates' }),
  })
  .meta({ id: 'UnavailableRule' });

/** What a custom source must provide, for a rule whose rates no shipped source has. */
const needs = z.strictObject({
  reason: z.string(),
  pivot_currency: currencyCode,
  period: z.enum(VALIDITY_PERIODS),
  rates: z.string(),
});

/** `law` is the official address of the cited text, or of the page with all its versions. */
export const storedRule = ruleSchema.extend({ law: z.url(), needs: needs.optional() });

/** The provider, the key day, and which row it selects. A new version of a law is another row with the same ID. */
export type Rule = z.infer<typeof storedRule>;

export const appliedRuleSchema = z
  .object({
    id: ruleId,
    citation: facts.citation,
    day: z.iso.date().meta({ description: 'The key day; for a mean, its last day' }),
    source: ruleSchema.shape.source,
  })
  .meta({ id: 'AppliedRule' });

export type AppliedRule = Readonly<z.infer<typeof appliedRuleSchema>>;

export type UnavailableRule = z.infer<typeof unavailableRuleSchema> & Pick<Rule, 'law'>;

/** Every rule, available or not, sorted by ID and then by its first day. */
export const rules: readonly Rule[] = readDataFile(
  'rules.json',
  z.strictObject({ rules: z.array(storedRule) }),
).rules.toSorted((one, other) => order(one.id, other.id) || order(one.since ?? '', other.since ?? ''));

/** The rules whose rates a shipped or a custom source has. */
export function availableRules(): Rule[] {
  return rules.filter((rule) => !unavailableIn(rule));
}

/** The rules that no source here can answer, as long as the operator adds none. */
export function unavailableRules(): UnavailableRule[] {
  return rules.flatMap((rule) => unavailableIn(rule) ?? []);
}

function unavailableIn({ needs, ...rule }: Rule): UnavailableRule | undefined {
  const { id, jurisdiction, use, citation, law, source } = rule;
  if (!needs || periodOf(source) === needs.period) return undefined;
  const { reason, pivot_currency: pivot, period, rates } = needs;
  const missing =
    `describe a custom source with key: ${source}, pivot_currency: ${pivot} and period: ${period}, as in ` +
    `docs/custom-sources.md, and import a CSV file with provider,date,base,quote,rate of ${rates}: ` +
    'npm run cli -- rates import FILE';
  return { id, jurisdiction, use, citation, law, source, reason, missing };
}

export const NO_LEGAL_ADVICE =
  'This is not legal advice. Read the cited law, or ask an adviser, before you rely on a rate.';

export function ruleOn(id: string, day: CalendarDate): Rule | undefined {
  return rules.find(
    ({ id: other, since, until }) =>
      other === id && (since === null || since <= day) && (until === null || day <= until),
  );
}

const KEY_DAYS: Record<NonNullable<Rule['day']>, (date: CalendarDate) => CalendarDate> = {
  same: (date) => date,
  'month-end': (date) => periodAround('month', date).to,
  'quarter-end': (date) => periodAround('quarter', date).to,
  'penultimate-wednesday'(date) {
    const last = addDays(periodAround('month', date).from, -1);
    return addDays(last, -((isoWeekday(last) + 4) % 7) - 7);
  },
};

/** The key day for a date. For returns, `date` is a day of the period. */
export function keyDay(day: NonNullable<Rule['day']>, date: CalendarDate): CalendarDate {
  return KEY_DAYS[day](date);
}

export function isOfReturns({ day }: Rule): boolean {
  return day === 'month-end' || day === 'quarter-end';
}

/** Which row of the key day a rule selects. A mean is stored under its first day. */
export function pickOf({ pick }: Rule): DayPick {
  return pick === 'before' || pick === 'next' ? pick : 'on-or-before';
}

/** No key day is further than this from its date, in days before or after it. */
const FURTHEST_KEY_DAY = 92;

/** Whether a day is the key day of any date on which the rule applies. */
export function isKeyDayOf(rule: Rule, day: CalendarDate): boolean {
  const { day: own } = rule;
  if (own === null) return false;
  const kinds = isOfReturns(rule) ? (['month-end', 'quarter-end'] as const) : [own];
  const dates = eachDay(addDays(day, -FURTHEST_KEY_DAY), addDays(day, FURTHEST_KEY_DAY));
  return [...dates].some(
    (date) => ruleOn(rule.id, date) === rule && kinds.some((kind) => keyDay(kind, date) === day),
  );
}

function order(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
