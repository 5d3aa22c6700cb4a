import { type Column, type Columns, rateAt } from '../../../../core/columns/columns.js';
import { meansWithoutPegs } from '../../../../core/columns/means.js';
import { PIVOT } from '../../../../core/domain/blend/carry-forward.js';
import type { Clock } from '../../../../core/domain/clock.js';
import { fromDayNumber } from '../../../../core/domain/dates.js';
import { type DayWindow, firstDayOf } from '../../../../core/domain/periods.js';
import { providerOf } from '../../../../core/domain/providers.js';
import type { RatesContext, RatesView } from '../../engine/rates-view.js';
import { pairSpan } from '../../snapshot/pair.js';
import { type DataQuery, daysOf, selectedBy } from '../data-query.js';
import { DIMENSIONS } from '../dataflow.js';
import { FREQUENCIES, type Frequency, periodsWithin } from '../periods.js';
import {
  codesOf,
  isSelected,
  RATE_TYPES,
  type RateType,
  type SeriesKey,
  type Suffix,
  selectionsOf,
} from '../series-key.js';
import type { Region } from './artefacts.js';

const NONE: DayWindow = { from: Number.POSITIVE_INFINITY, to: Number.NEGATIVE_INFINITY };
const SUFFIXES: readonly Suffix[] = ['A', 'E'];

type Known = Readonly<{ view: RatesView; context: RatesContext }>;

/** Returns codes with observations, and the days on which their first and last periods begin. Empty without any. */
export async function exactRegion(query: DataQuery, known: Known): Promise<Region> {
  const codes = DIMENSIONS.map(() => new Set<string>());
  let { from, to } = NONE;
  for (const type of query.types) {
    for await (const { key, first, last } of spansOf(query, type, known)) {
      codesOf(key).forEach((code, index) => void codes[index]?.add(code));
      const { period } = FREQUENCIES[key.frequency];
      from = Math.min(from, firstDayOf(period, first));
      to = Math.max(to, firstDayOf(period, last));
    }
  }
  if (to < from) return { codes: new Map() };
  return {
    codes: new Map(DIMENSIONS.map(({ id }, index) => [id, [...(codes[index] ?? [])].sort()])),
    days: { from: fromDayNumber(from), to: fromDayNumber(to) },
  };
}

/** Generates the series of a type that have observations, with the first and the last day of these. */
async function* spansOf(query: DataQuery, type: RateType, { view, context }: Known) {
  const source = view.sourceOf(query.providers, RATE_TYPES[type]);
  const rates = await source.ratesOn({ from: Number.NEGATIVE_INFINITY, to: undefined }, context);
  const columnsOf = columnsByFrequency(query);
  const ratedDays = daysOfColumns();
  for (const denominator of query.denominators) {
    const own = rates.ownFor(denominator);
    const daily = rates.columnsFor(denominator);
    for (const currency of query.currencies ?? daily.quotes) {
      const pair = { base: denominator, quotes: [currency], own };
      for (const { key, days } of seriesOf(query, { currency, denominator, type }, context.clock)) {
        const columns = columnsOf(key, daily);
        const [ofBase, ofQuote] = [ratedDays(columns, denominator), ratedDays(columns, currency)];
        const both = {
          from: Math.max(days.from, ofBase.from, ofQuote.from),
          to: Math.min(days.to, ofBase.to, ofQuote.to),
        };
        // A provider may publish the pair on days on which neither currency can be converted to its pivot.
        const [first, last] = pairSpan(columns, pair, own?.(currency) ? days : both);
        if (first !== undefined && last !== undefined) yield { key, first, last };
      }
    }
  }
}

/** Returns daily columns, or those of means for a blend: both currencies may have a mean without a common day. */
// A blend has the same columns for all denominators.
function columnsByFrequency({
  providers,
}: DataQuery): (key: Pick<SeriesKey, 'frequency' | 'suffix'>, daily: Columns) => Columns {
  const means = new Map<Frequency, Columns>();
  return ({ frequency, suffix }, daily) => {
    const { period } = FREQUENCIES[frequency];
    if (period === 'day' || suffix === 'E' || providers?.length === 1) return daily;
    const span = { from: daily.days[0] ?? 0, to: daily.days.at(-1) ?? 0 };
    const known = means.get(frequency) ?? meansWithoutPegs(daily, period, span);
    means.set(frequency, known);
    return known;
  };
}

/** Returns the days of a currency's own rates, computed once, as a query may name thousands of pairs. */
function daysOfColumns(): (columns: Columns, currency: string) => DayWindow {
  const known = new Map<Column, DayWindow>();
  return ({ days, byQuote }, currency) => {
    const column = byQuote.get(currency);
    if (!column) return NONE;
    let found = known.get(column);
    if (!found) {
      let first = 0;
      let last = days.length - 1;
      while (first <= last && Number.isNaN(rateAt(column, first))) first++;
      while (last >= first && Number.isNaN(rateAt(column, last))) last--;
      found = first <= last ? { from: days[first] ?? NONE.from, to: days[last] ?? NONE.to } : NONE;
      known.set(column, found);
    }
    return found;
  };
}

function seriesOf(
  query: DataQuery,
  pair: Pick<SeriesKey, 'currency' | 'denominator' | 'type'>,
  clock: Clock,
): { key: SeriesKey; days: DayWindow }[] {
  const all = daysOf(query, clock);
  const hasRange = query.from !== undefined || query.to !== undefined;
  return query.frequencies.flatMap((frequency) => {
    const days = hasRange ? periodsWithin(frequency, all) : all;
    if (!days) return [];
    return SUFFIXES.map((suffix) => ({ key: { frequency, ...pair, suffix }, days })).filter(({ key }) =>
      query.keys.some((selection) => isSelected(selection, key)),
    );
  });
}

/** Returns the region that could be requested instead: all codes with observations within the days of a query. */
export async function availableRegion(query: DataQuery, known: Known): Promise<Region> {
  const [provider, ...others] = query.providers ?? [];
  const pivot = provider !== undefined && others.length === 0 ? providerOf(provider)?.pivot_currency : null;
  const denominator = pivot ?? PIVOT;
  const types = query.side ? Object.keys(RATE_TYPES).join('+') : '';
  const selected = selectedBy(selectionsOf(`..${denominator}.${types}.`), query);
  const found = await exactRegion({ ...query, ...selected }, known);
  if (!found.days) return found;
  // A currency with a rate on any day has one in the pivot, and can be converted to others with one on that day.
  const currencies = [...new Set([denominator, ...(found.codes.get('CURRENCY') ?? [])])].sort();
  const codes = new Map(found.codes).set('CURRENCY', currencies).set('CURRENCY_DENOM', currencies);
  return { ...found, codes };
}
