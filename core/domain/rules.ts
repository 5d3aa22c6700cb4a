import { z } from 'zod';
import { readDataFile } from '../process/project-files.js';
import { currencyCode } from './currencies.js';
import {
  addDays,
  type CalendarDate,
  eachDay,
  firstOfMonth,
  isoWeekday,
  lastOfMonth,
  lastOfQuarter,
} from './dates.js';
import type { DayPick } from './day-pick.js';

export const RETURN_PERIODS = ['month', 'quarter'] as const;

const ruleId = z
  .string()
  .regex(/^[a-z]{2}(-[a-z]+)+$/)
  .meta({ description: 'What `rule=` takes' });

const facts = {
  id: ruleId,
  jurisdiction: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .meta({ description: 'Code of the country, or EU' }),
  use: z.string().meta({ description: 'What the rate is for' }),
  citation: z.string().meta({ description: 'Where the law says so' }),
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
    source: z.string().meta({ description: 'The provider whose rates count' }),
    day: z
      .enum(['same', 'month-end', 'quarter-end', 'penultimate-wednesday'])
      .nullable()
      .meta({
        description:
          'The key day. same: `date`; month-end, quarter-end: the last day of its month or quarter; ' +
          'penultimate-wednesday: the last but one Wednesday of the month before; null: there is none, but `from` and `to`',
      }),
    pick: z.enum(['on-or-before', 'before', 'next', 'valid', 'mean']).meta({
      description:
        'Which rate counts. on-or-before: the newest up to the key day; before: the newest before it; next: the first from ' +
        'it on; valid: the one that is valid on it; mean: the mean of the daily rates from `from` to `to`',
    }),
    since: z.iso.date().nullable().meta({ description: 'First day; null where it is not known' }),
    until: z.iso.date().nullable().meta({ description: 'Last day; null while it is in force' }),
    note: z.string(),
    examples: z.array(example).min(1),
  })
  .meta({ id: 'Rule' });

export const unavailableRuleSchema = z
  .strictObject({ ...facts, reason: z.string().meta({ description: 'Why there is no answer' }) })
  .meta({ id: 'UnavailableRule' });

/** The provider, the key day, and which row it selects. A new version of a law is another row with the same ID. */
export type Rule = z.infer<typeof ruleSchema>;

export const appliedRuleSchema = z
  .object({
    id: ruleId,
    citation: facts.citation,
    day: z.iso.date().meta({ description: 'The key day; of a mean, its last day' }),
    source: ruleSchema.shape.source,
  })
  .meta({ id: 'AppliedRule' });

export type AppliedRule = Readonly<z.infer<typeof appliedRuleSchema>>;

export type UnavailableRule = z.infer<typeof unavailableRuleSchema>;

const file = readDataFile(
  'rules.json',
  z.strictObject({ rules: z.array(ruleSchema), unavailable: z.array(unavailableRuleSchema) }),
);

/** Every rule, sorted by ID and then by its first day. */
export const rules: readonly Rule[] = file.rules.toSorted(
  (one, other) => order(one.id, other.id) || order(one.since ?? '', other.since ?? ''),
);

export const unavailableRules: readonly UnavailableRule[] = file.unavailable.toSorted((one, other) =>
  order(one.id, other.id),
);

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
  'month-end': lastOfMonth,
  'quarter-end': lastOfQuarter,
  'penultimate-wednesday'(date) {
    const last = addDays(firstOfMonth(date), -1);
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
