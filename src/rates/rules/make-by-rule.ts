import { currenciesOf } from '../../../core/domain/minor-unit-aliases.js';
import { HttpError } from '../../http/errors.js';
import { withRule } from '../encoding/with-rule.js';
import type { MakeFromRates, RatesContext, RatesInput } from '../engine/rates-view.js';
import type { ReadTimes } from './ask-by-rule.js';
import { meanSource, meansFor } from './mean.js';
import { notPublished, readRuleSource } from './published.js';
import type { Ruling } from './resolve.js';

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
