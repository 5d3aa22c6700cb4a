import type { Clock } from '../../../core/domain/clock.js';
import { currenciesOf } from '../../../core/domain/currencies.js';
import type { CatalogueHolder } from '../../catalogue/holder.js';
import { HttpError } from '../../http/errors.js';
import { withRule } from '../encoding/with-rule.js';
import type { Ask } from '../engine/ask.js';
import type { MakeFromRates, RatesContext, RatesInput } from '../engine/rates-view.js';
import { clockAt, type ResolvedRequest, type RowsShown } from '../engine/request.js';
import { meanSource, meansFor } from './mean.js';
import { notPublished, type ReadTimes, readRuleSource } from './published.js';
import type { Ruling } from './resolve.js';

export interface RuleDependencies {
  /** Contains the time of each provider's last read. */
  catalogue: Pick<CatalogueHolder, 'current'>;
  clock: Clock;
}

export function readTimes(
  { catalogue: holder, clock }: RuleDependencies,
  { asOf }: Pick<ResolvedRequest, 'asOf'>,
): ReadTimes {
  const catalogue = holder.current();
  const readAt = new Map<string, number>();
  for (const [key, { newestReadAt }] of asOf === undefined ? (catalogue?.providers ?? []) : [])
    if (newestReadAt) readAt.set(key, newestReadAt.getTime());
  return { now: clockAt(asOf, clock)().getTime(), readAt, version: catalogue?.version ?? 0n };
}

/** Returns an `Ask` for the resolved request of a rule, which adds the rule. */
export function askByRule(ask: Ask, ruling: Ruling, dependencies: RuleDependencies): Ask {
  return (maker, { request, layout, rows }, options) =>
    ask(
      `${maker}-by-rule`,
      { request, layout: { ...layout, ruling }, rows: rows && rowsOfRule(ruling, rows) },
      { ...options, input: { ...options?.input, ruling, times: readTimes(dependencies, request) } },
    );
}

/** A mean is requested by its first day, and made from all days of its range. */
function rowsOfRule({ from, picked: { day: to } }: Ruling, rows: RowsShown): RowsShown {
  return from === undefined ? rows : { form: 'range', from, to, period: 'day' };
}

interface RuledInput extends RatesInput {
  readonly ruling: Ruling;
  readonly times: ReadTimes;
}

/** Uses the rates that a rule requires, and adds the rule. Throws an HttpError 404 if they may not be published yet. */
export function byRule<Input extends RatesInput, From extends RatesContext>(
  make: MakeFromRates<Input, From>,
): MakeFromRates<Input & RuledInput, From> {
  return async (input, view, context) => {
    const { request, ruling, times } = input;
    const { base, quotes: [quote = ''] = [] } = request;
    const pair = currenciesOf({ base, quote });
    const source = await readRuleSource(ruling.rule.source, times, { view, context });
    const missing = notPublished(ruling, pair, source);
    if (missing !== undefined) throw new HttpError(404, missing, { code: 'no_rates' });
    const means = meansFor(ruling, pair, source);
    const ruled = means ? { ...view, sourceOf: () => meanSource(means) } : view;
    return withRule(await make(input, ruled, context), ruling.rule);
  };
}
