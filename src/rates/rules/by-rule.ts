import { columnsOf } from '../../../core/columns/columns.js';
import { currenciesOf } from '../../../core/domain/currencies.js';
import { type Clock, dayNumber, fromDayNumber, periodsOf } from '../../../core/domain/dates.js';
import { providerOf } from '../../../core/domain/providers.js';
import { rules } from '../../../core/domain/rules.js';
import type { CatalogueHolder } from '../../catalogue/holder.js';
import { HttpError } from '../../http/errors.js';
import { check } from '../../parameters/query.js';
import type { Ask } from '../engine/ask.js';
import { lookUpsIn } from '../engine/look-ups.js';
import { ratesQuery } from '../engine/parameters.js';
import type { KnownRates, RateSource } from '../engine/rate-source.js';
import {
  type MakeFromRates,
  type RatesContext,
  type RatesInput,
  type RatesView,
  requireLoaded,
} from '../engine/rates-view.js';
import { clockAt, type ResolvedRequest, type RowsShown } from '../engine/request.js';
import { convertLine } from '../lines/conversions.js';
import type { Converted } from '../lines/converted-lines.js';
import type { Line } from '../lines/lines.js';
import { withRule } from '../lines/with-rule.js';
import { meanRows } from '../snapshot/period-rows.js';
import { plainRows, rowsBetween } from '../snapshot/rows.js';
import { ruleQuery } from './parameters.js';
import { notPublished, type ReadTimes, type RuleSource, readRuleSource } from './published.js';
import { type RuledQuery, type Ruling, resolveRule } from './resolve.js';

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

/** Computes means of rates as the source quotes them, dated the first day. Undefined if the rule requires none. */
function meansFor(
  { from, picked: { day: to } }: Ruling,
  { base, quote }: { base: string; quote: string },
  { rates, pivot: ownPivot, newestOf }: RuleSource,
): KnownRates | undefined {
  if (from === undefined) return undefined;
  const [pivot, range] = [ownPivot ?? base, { from, to }];
  const selection = { base: pivot, quotes: [...new Set([base, quote])].sort(), own: rates.ownFor(pivot) };
  const daily = rowsBetween(rates.columnsFor(pivot), selection, range);
  const means = [...meanRows(daily, periodsOf('range', range))].flatMap(({ rows }) => rows);
  const columns = columnsOf(
    means.map(({ quote, rate }) => [quote, { days: Int32Array.of(from), rates: Float64Array.of(rate) }]),
    pivot,
  );
  const isKnown = [base, quote].every((code) => code === pivot || newestOf(code) !== undefined);
  const none = isKnown ? `there are none from ${fromDayNumber(from)} to ${fromDayNumber(to)}` : undefined;
  return { ...rates, days: columns.days, columnsFor: () => columns, ownFor: () => undefined, none };
}

function meanSource(means: KnownRates): RateSource {
  return {
    rows: async (request) =>
      plainRows({ days: means.columnsFor(request.base) }, request, Number.POSITIVE_INFINITY),
    ratesOn: async () => means,
  };
}

/** Converts a line by its rule; undefined if neither the line nor the query has one. */
type ConvertByRule = (line: Line) => Converted | undefined;

const lineQuery = ratesQuery.pick({ date: true }).extend(ruleQuery.shape);

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
): Converted | undefined {
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
