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
import { faultsError, type HttpError, type ParameterFault, parameterError } from '../../http/errors.js';
import { fromAfterTo } from '../../parameters/hints.js';
import { type ruleQuery, sources } from '../engine/parameters.js';
import type { RatesQuery } from '../engine/request.js';

export type RuledQuery = RatesQuery & Partial<z.output<typeof ruleQuery>>;

/** The requirements of a rule for a date. It is plain data and belongs in the entity tag. */
export type Ruling = Readonly<NonNullable<ReturnType<typeof resolveRule>['ruling']>>;

/** Throws an HttpError 422 that names parameters in conflict with the rule, or says why it has no rate. */
// A mean is requested by its first day, as rows of `group=range` are dated.
export function resolveRule({ rule: id, period, from, to, ...query }: RuledQuery) {
  if (id === undefined) {
    const faults = faultsWithoutRule({ period, from, to });
    if (faults.length > 0) throw faultsError(faults);
    return { plain: query, ruling: undefined };
  }
  checkRule({ ...query, rule: id });
  const texts = rules.filter((one) => one.id === id);
  const isMean = texts.some(({ pick }) => pick === 'mean');
  const faults = faultsOf({ ...query, id, period, from, to }, { texts, isMean });
  if (faults.length > 0) throw faultsError(faults);
  const date = (isMean ? to : query.date) ?? '';
  const rule = ruleOn(id, date);
  if (!rule) throw refused(isMean ? 'to' : 'date', `rule=${id} is not for ${date}: ${daysOf(texts)}`);
  const { citation, source, pick } = rule;
  if (!providerOf(source))
    throw refused('rule', `rule=${id} can not be answered: ${source} is left out of this service`);
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
    throw refused('rule', `rule=${id} can not be answered: ${reason}. To add them, ${missing}`);
  }
  const chosen = CHOSEN_BY_RULE.filter((name) => query[name] !== undefined);
  const messageOf = (name: string) => `${name} is what a rule chooses: use either ${name} or rule`;
  if (chosen.length > 0)
    throw faultsError(chosen.map((parameter) => ({ parameter, message: messageOf(parameter) })));
}

function faultsWithoutRule(given: Pick<RuledQuery, 'period' | 'from' | 'to'>): ParameterFault[] {
  return Object.entries(given).flatMap(([parameter, value]) => {
    const hint = parameter === 'period' ? 'add one such as rule=eu-oss' : 'a range of days is at /v2/rates';
    return value === undefined ? [] : [{ parameter, message: `${parameter} needs rule: ${hint}` }];
  });
}

function faultsOf(
  query: RuledQuery & { id: string },
  { texts, isMean }: { texts: readonly Rule[]; isMean: boolean },
): ParameterFault[] {
  const { id, date, period, from, to, expand = [] } = query;
  const faults: ParameterFault[] = [];
  const fault = (parameter: string, message: string) => faults.push({ parameter, message });
  if (period !== undefined && !texts.some(isOfReturns))
    fault('period', `period is for returns: leave it out with rule=${id}`);
  if (!isMean) {
    if (date === undefined) fault('date', `rule=${id} needs date: add the day that the law counts from`);
    for (const name of ['from', 'to'] as const) {
      if (query[name] !== undefined) fault(name, `${name} is for means: use date with rule=${id}`);
    }
    return faults;
  }
  if (date !== undefined) fault('date', `rule=${id} is a mean of days: use from and to`);
  if (expand.length > 0) fault('expand', `expand is for rates of a day: leave it out with rule=${id}`);
  for (const name of ['from', 'to'] as const) {
    if (query[name] === undefined)
      fault(name, `rule=${id} needs ${name}: add the ${name === 'from' ? 'first' : 'last'} day`);
  }
  if (from !== undefined && to !== undefined && from > to) fault('from', fromAfterTo(from, to));
  return faults;
}

function daysOf(texts: readonly Rule[]): string {
  const spans = texts.map(({ since, until }) =>
    [since && `from ${since}`, until && `until ${until}`].filter(Boolean).join(' '),
  );
  return `it applies ${spans.join(' and ')}`;
}

function refused(parameter: string, message: string): HttpError {
  return parameterError(422, parameter, message);
}
