import { currenciesOf } from '../../../core/domain/minor-unit-aliases.js';
import { HttpError } from '../../http/errors.js';
import { withRule } from '../encoding/with-rule.js';
import type { Ground, Knowledge, MakeFromRates, RatesInput } from '../engine/knowledge.js';
import type { ReadTimes } from './ask-by-rule.js';
import { meanSource, meansFor } from './mean.js';
import { notPublished, type RuleSource, ruleSourceOf } from './published.js';
import type { Ruling } from './resolve.js';

/** The further inputs of a question with a rule. */
interface RuledInput extends RatesInput {
  readonly ruling: Ruling;
  readonly times: ReadTimes;
}

/**
 * Wraps a maker so that it follows the rule of a question: it uses the rates that the rule requires, and adds the rule to
 * the body. Throws an HttpError 404 if the rate may not be published yet.
 */
export function byRule<Input extends RatesInput, From extends Ground>(
  make: MakeFromRates<Input, From>,
): MakeFromRates<Input & RuledInput, From> {
  return (input, knowledge, ground) => {
    const { ruling, times } = input;
    return knowledgeByRule(input.request, { ruling, times, knowledge, ground }).then(async (ruled) =>
      withRule(await make(input, ruled, ground), ruling.rule),
    );
  };
}

/** The knowledge of the rates that a rule requires; for a mean, only that mean. */
async function knowledgeByRule(
  { base, quotes: [quote = ''] = [] }: RatesInput['request'],
  { ruling, times, ...known }: { ruling: Ruling; times: ReadTimes; knowledge: Knowledge; ground: Ground },
): Promise<Knowledge> {
  const pair = currenciesOf({ base, quote });
  const source = await readRuleSource(ruling.rule.source, times, known);
  const missing = notPublished(ruling, pair, source);
  if (missing !== undefined) throw new HttpError(404, missing);
  const means = meansFor(ruling, pair, source);
  return means ? { ...known.knowledge, sourceOf: () => meanSource(means) } : known.knowledge;
}

/** Reads the source of a rule. */
export async function readRuleSource(
  key: string,
  { now, readAt, version }: ReadTimes,
  { knowledge, ground }: { knowledge: Knowledge; ground: Ground },
): Promise<RuleSource> {
  const { current, today, sourceOf } = knowledge;
  const isInMemory = version <= current.dataVersion;
  return ruleSourceOf(await sourceOf([key]).ratesOn({ from: undefined, to: undefined }, ground), {
    key,
    now,
    readAt: isInMemory ? readAt.get(key) : undefined,
    tomorrow: today + 1,
  });
}
