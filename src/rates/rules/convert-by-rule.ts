import { check } from '../../http/query.js';
import { json } from '../../http/reply.js';
import type { RequestContext } from '../../http/route.js';
import type { Conversion } from '../convert/converted-lines.js';
import { conversionOf } from '../engine/conversions.js';
import { findRate } from '../engine/pair-rate.js';
import { conversionQuery } from '../engine/parameters.js';
import type { Rates } from '../engine/rates.js';
import { resolveRequest } from '../engine/request.js';
import { answerByRule, type RuleDependencies } from './answer-by-rule.js';
import { resolveRule } from './resolve.js';

/** Converts an amount at the rate that a rule wants, by the parameters of `/v2/convert`, with the errors of that. */
export type ConvertByRule = (
  pair: { base: string; quote: string },
  parameters: Readonly<Record<string, string>>,
  reader: RequestContext,
) => Promise<Conversion>;

export function openConvertByRule({
  rates,
  ...dependencies
}: RuleDependencies & { rates: Rates }): ConvertByRule {
  return async ({ base, quote }, parameters, reader) => {
    const query = check(conversionQuery, parameters);
    const { plain, ruling } = resolveRule(query);
    const request = resolveRequest({ ...plain, base, quotes: [quote] }, dependencies.clock);
    const { amount } = query;
    const answer = answerByRule(rates.answer, ruling, dependencies, reader);
    const begun = await answer(
      { request, layout: { amount } },
      {
        async render({ knowledge }) {
          const { picked, found } = await findRate(request, knowledge, reader);
          return json(conversionOf({ amount, base, quote }, picked.day, found));
        },
      },
    );
    const { content } = await begun.make();
    return JSON.parse(String(content?.body)) as Conversion;
  };
}
