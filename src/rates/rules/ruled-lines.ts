import { currenciesOf } from '../../../core/domain/currencies.js';
import { dayNumber } from '../../../core/domain/dates.js';
import { providerOf } from '../../../core/domain/providers.js';
import { rules } from '../../../core/domain/rules.js';
import { HttpError } from '../../http/errors.js';
import { check } from '../../parameters/query.js';
import { convertLine } from '../engine/conversions.js';
import { lookUpsIn } from '../engine/look-ups.js';
import { conversionsQuery, RULE } from '../engine/parameters.js';
import { type RatesContext, type RatesView, requireLoaded } from '../engine/rates-view.js';
import type { Conversion } from '../lines/converted-lines.js';
import type { Line } from '../lines/lines.js';
import { meansFor } from './by-rule.js';
import { notPublished, type ReadTimes, type RuleSource, readRuleSource } from './published.js';
import { type RuledQuery, resolveRule } from './resolve.js';

/** Converts a line by its rule; undefined if neither the line nor the query has one. */
type ConvertByRule = (line: Line) => Conversion | { error: string } | undefined;

const lineQuery = conversionsQuery.pick({ ...RULE, date: true });

/** Reads the sources of the rules of the lines and of the query, once each. The members of a line override the query. */
export async function openRuledLines(
  query: RuledQuery,
  named: ReadonlySet<string>,
  { times, ...known }: { times: ReadTimes; view: RatesView; context: RatesContext },
): Promise<ConvertByRule> {
  const ids = new Set([...named].map((id) => id.toLowerCase()).concat(query.rule ?? []));
  // A rule may pick a day, or a mean of days, long before that of its line.
  if (ids.size > 0) requireLoaded(known.view.current, Number.NEGATIVE_INFINITY);
  const keys = new Set(rules.filter(({ id }) => ids.has(id)).map(({ source }) => source));
  const sources = new Map<string, RuleSource>();
  for (const key of keys) {
    if (providerOf(key)) sources.set(key, await readRuleSource(key, times, known));
  }
  return (line) => {
    if (query.rule === undefined && !line.ruled) return undefined;
    const said = { ...line.ruled, ...(line.on && { date: line.on.date }) };
    try {
      return convertRuled(line, { ...query, ...check(lineQuery, said) }, sources);
    } catch (error) {
      if (error instanceof HttpError) return { error: error.message };
      throw error;
    }
  };
}

/** Throws an HttpError if the rule can't be applied, or its rate may not be published yet. */
function convertRuled(
  line: Line,
  query: RuledQuery,
  sources: ReadonlyMap<string, RuleSource>,
): ReturnType<ConvertByRule> {
  const { plain, ruling } = resolveRule(query);
  const source = ruling && sources.get(ruling.rule.source);
  if (!source || plain.date === undefined) return undefined;
  const pair = currenciesOf(line);
  const missing = notPublished(ruling, pair, source);
  if (missing !== undefined) return { error: missing };
  const { picked, rule } = ruling;
  const means = meansFor(ruling, pair, source);
  const on = { date: plain.date, day: dayNumber(plain.date) };
  const lookUps = means ? lookUpsIn(means, Number.POSITIVE_INFINITY, plain.providers) : source;
  const found = convertLine({ ...line, on }, { day: on.day, pick: picked.pick }, lookUps);
  return 'error' in found ? found : { ...found, rule };
}
