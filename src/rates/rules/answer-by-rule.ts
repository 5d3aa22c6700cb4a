import type { Clock } from '../../../core/domain/clock.js';
import { currenciesOf } from '../../../core/domain/minor-unit-aliases.js';
import type { CatalogueHolder } from '../../catalogue/holder.js';
import { HttpError } from '../../http/errors.js';
import type { RequestContext } from '../../http/route.js';
import { withRule } from '../encoding/with-rule.js';
import type { Answer } from '../engine/answer.js';
import type { RowsShown } from '../engine/basis.js';
import type { Knowledge } from '../engine/knowledge.js';
import { clockAt, type ResolvedRequest } from '../engine/request.js';
import { meanSource, meansFor } from './mean.js';
import { notPublished, type RuleSource, ruleSourceOf } from './published.js';
import type { Ruling } from './resolve.js';

export interface RuleDependencies {
  /** Tells when providers were last read. */
  catalogue: Pick<CatalogueHolder, 'current'>;
  clock: Clock;
}

/**
 * Answers what a rule was resolved to as the plain request is answered, with the rule added, or with an HttpError 404 where
 * the rate that it wants may not be published yet. Without a rule it is the same answer.
 */
export function answerByRule(
  answer: Answer,
  ruling: Ruling | undefined,
  dependencies: RuleDependencies,
  reader: RequestContext,
): Answer {
  if (!ruling) return answer;
  return ({ request, layout, rows }, options) =>
    answer(
      { request, layout: { ...layout, ruling }, rows: rows && rowsOfRule(ruling, rows) },
      {
        ...options,
        async render(context) {
          const { base, quotes: [quote = ''] = [] } = request;
          const pair = currenciesOf({ base, quote });
          const source = await readRuleSource(ruling.rule.source, request, context.knowledge, {
            ...dependencies,
            reader,
          });
          const missing = notPublished(ruling, pair, source);
          if (missing !== undefined) throw new HttpError(404, missing);
          const means = meansFor(ruling, pair, source);
          // Of a mean, what is known is that mean alone.
          const knowledge = means
            ? { ...context.knowledge, sourceOf: () => meanSource(means) }
            : context.knowledge;
          return withRule(await options.render({ ...context, knowledge }), ruling.rule);
        },
      },
    );
}

/** A mean is asked for by its first day, and made of all days of its range. */
function rowsOfRule({ from, picked: { day: to } }: Ruling, rows: RowsShown): RowsShown {
  return from === undefined ? rows : { form: 'range', from, to, period: 'day' };
}

/** Reads the source of a rule. Of an instant in the past it is not known when it had been read. */
export async function readRuleSource(
  key: string,
  { asOf }: Pick<ResolvedRequest, 'asOf'>,
  { current, today, sourceOf }: Knowledge,
  { catalogue: holder, clock, reader }: RuleDependencies & { reader: RequestContext },
): Promise<RuleSource> {
  const catalogue = holder.current();
  // What was read since may be in rows that are not in memory yet.
  const isNewer = (catalogue?.version ?? 0n) > current.dataVersion;
  const state = asOf === undefined && !isNewer ? catalogue?.providers.get(key) : undefined;
  return ruleSourceOf(await sourceOf([key]).ratesOn({ from: undefined, to: undefined }, reader), {
    key,
    now: clockAt(asOf, clock)().getTime(),
    readAt: state?.newestReadAt?.getTime(),
    tomorrow: today + 1,
  });
}
