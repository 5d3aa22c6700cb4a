import type * as z from 'zod';
import { dayNumber } from '../../../core/domain/dates.js';
import { providerOf } from '../../../core/domain/providers.js';
import {
  isOfReturns,
  keyDay,
  pickOf,
  type Rule,
  ruleOn,
  rules,
  unavailableRules,
} from '../../../core/domain/rules.js';
import { parameterError } from '../../http/errors.js';
import { fromAfterTo } from '../../parameters/hints.js';
import { sources } from '../engine/parameters.js';
import { type Fault, type RatesQuery, refuseFaults } from '../engine/request.js';
import type { ruleQuery } from './parameters.js';

export type RuledQuery = RatesQuery & Partial<z.output<typeof ruleQuery>>;

/** The requirements of a rule for a date. It is plain data and belongs in the entity tag. */
export type Ruling = Readonly<NonNullable<ReturnType<typeof resolveRule>['ruling']>>;

/** Throws an HttpError 422 that names parameters in conflict with the rule, or says why it has no rate. */
// A mean is requested by its first day, as rows of `group=range` are dated.
export function resolveRule({ rule: id, period, from, to, ...query }: RuledQuery) {
  if (id === undefined) {
    refuseFaults([...faultsWithoutRule({ period, from, to })]);
    return { plain: query, ruling: undefined };
  }
  checkRule({ ...query, rule: id });
  const texts = rules.filter((one) => one.id === id);
  const isMean = texts.some(({ pick }) => pick === 'mean');
  refuseFaults([...faultsOf({ ...query, rule: id, period, from, to }, { texts, isMean })]);
  const date = (isMean ? to : query.date) ?? '';
  const rule = ruleOn(id, date);
  if (!rule)
    throw parameterError(422, isMean ? 'to' : 'date', `rule=${id} is not for ${date}: ${daysOf(texts)}`);
  const { citation, source, pick } = rule;
  const leftOut = `rule=${id} can not be answered: ${source} is left out of this service`;
  if (!providerOf(source)) throw parameterError(422, 'rule', leftOut);
  const rowPick = pickOf(rule);
  const when = rowPick === 'on-or-before' ? undefined : rowPick;
  const day =
    rule.day === null ? date : keyDay(isOfReturns(rule) ? `${period ?? 'quarter'}-end` : rule.day, date);
  const chosen = { providers: [source], date: isMean ? from : day, when };
  return {
    plain: { ...query, ...chosen, precision: 'full' as const },
    ruling: {
      rule: { id, citation, day, source },
      pick,
      /** Selects the row of the source; for a mean, the last one that it is made from. */
      picked: { day: dayNumber(day), pick: rowPick },
      /** Day number of the first day of a mean. */
      from: isMean ? dayNumber(from ?? '') : undefined,
    },
  };
}

export const CHOSEN_BY_RULE = [...sources, 'side', 'when'] as const;

/** Refuses a rule without rates here, and parameters that a rule sets itself. Throws an HttpError 422 that names them. */
export function checkRule({ rule: id, ...query }: RuledQuery): void {
  if (id === undefined) return;
  const unavailable = unavailableRules().find((one) => one.id === id);
  if (unavailable) {
    const { reason, missing } = unavailable;
    throw parameterError(422, 'rule', `rule=${id} can not be answered: ${reason}. To add them, ${missing}`);
  }
  const chosen = CHOSEN_BY_RULE.filter((name) => query[name] !== undefined);
  refuseFaults(chosen.map((name) => [name, `${name} is what a rule chooses: use either ${name} or rule`]));
}

function* faultsWithoutRule({ period, from, to }: RuledQuery): Generator<Fault> {
  if (period) yield ['period', 'period needs rule: add one such as rule=eu-oss'];
  if (from) yield ['from', 'from needs rule: a range of days is at /v2/rates'];
  if (to) yield ['to', 'to needs rule: a range of days is at /v2/rates'];
}

function* faultsOf(
  { rule: id, date, period, from, to, expand = [] }: RuledQuery,
  { texts, isMean }: { texts: readonly Rule[]; isMean: boolean },
): Generator<Fault> {
  if (period && !texts.some(isOfReturns))
    yield ['period', `period is for returns: leave it out with rule=${id}`];
  if (!isMean) {
    if (!date) yield ['date', `rule=${id} needs date: add the day that the law counts from`];
    if (from) yield ['from', `from is for means: use date with rule=${id}`];
    if (to) yield ['to', `to is for means: use date with rule=${id}`];
    return;
  }
  if (date) yield ['date', `rule=${id} is a mean of days: use from and to`];
  if (expand.length > 0) yield ['expand', `expand is for rates of a day: leave it out with rule=${id}`];
  if (!from) yield ['from', `rule=${id} needs from: add the first day`];
  if (!to) yield ['to', `rule=${id} needs to: add the last day`];
  if (from && to && from > to) yield ['from', fromAfterTo(from, to)];
}

function daysOf(texts: readonly Rule[]): string {
  const spans = texts.map(({ since, until }) =>
    [since && `from ${since}`, until && `until ${until}`].filter(Boolean).join(' '),
  );
  return `it applies ${spans.join(' and ')}`;
}
