import { type Column, type Columns, rateAt } from '../../../../core/columns/columns.js';
import { WINDOW_DAYS } from '../../../../core/domain/blend/carry-forward.js';
import type { Clock } from '../../../../core/domain/clock.js';
import { fromDayNumber } from '../../../../core/domain/dates.js';
import { firstDayOf } from '../../../../core/domain/periods.js';
import { providerOf } from '../../../../core/domain/providers.js';
import type { RateSource } from '../../engine/rate-source.js';
import { pairSpan } from '../../snapshot/pair-span.js';
import type { Reader } from '../../sources/raw-store.js';
import { currenciesOf, type DataQuery, daysOf, denominatorsOf, frequenciesOf } from '../data-query.js';
import { DIMENSIONS, type DimensionId } from '../dataflow.js';
import { type Days, FREQUENCIES, type Frequency, periodsWithin } from '../periods.js';
import { codesOf, isSelected, type KeySelection, type Suffix } from '../series-key.js';
import type { Region } from './artefacts.js';

const NONE: Days = { from: Number.POSITIVE_INFINITY, to: Number.NEGATIVE_INFINITY };
const SUFFIXES: readonly Suffix[] = ['A', 'E'];

/** Where the rates of a query are found. */
interface Context {
  source: RateSource;
  reader: Reader;
  clock: Clock;
}

/**
 * What a query finds: the codes of its series that have observations, and the days on which the periods of the first and the last
 * of these begin. Empty if it finds none.
 */
export async function exactRegion(query: DataQuery, { source, reader, clock }: Context): Promise<Region> {
  const { columnsFor } = await source.ratesOn({ from: Number.NEGATIVE_INFINITY, to: undefined }, reader);
  const codes = DIMENSIONS.map(() => new Set<string>());
  const ratedDays = daysOfColumns();
  let { from, to } = NONE;
  for (const denominator of denominatorsOf(query)) {
    const columns = columnsFor(denominator);
    for (const currency of currenciesOf(query) ?? columns.quotes) {
      for (const { frequencies, days } of stretches(query, clock)) {
        const series = frequencies
          .flatMap((frequency) => SUFFIXES.map((suffix) => ({ frequency, currency, denominator, suffix })))
          .filter((key) => query.keys.some((selection) => isSelected(selection, key)));
        if (series.length === 0) continue;
        const own = ratedDays(columns, currency);
        const ofBase = ratedDays(columns, denominator);
        const within = {
          from: Math.max(days.from, own.from, ofBase.from),
          to: Math.min(days.to, own.to, ofBase.to + WINDOW_DAYS),
        };
        const [first, last] = pairSpan(columns, { base: denominator, quotes: [currency] }, within);
        if (first === undefined || last === undefined) continue;
        for (const key of series) {
          codesOf(key).forEach((code, index) => void codes[index]?.add(code));
          const { period } = FREQUENCIES[key.frequency];
          from = Math.min(from, firstDayOf(period, first));
          to = Math.max(to, firstDayOf(period, last));
        }
      }
      await reader.yieldNow();
    }
  }
  if (to < from) return { codes: new Map() };
  return {
    codes: new Map(DIMENSIONS.map(({ id }, index) => [id, [...(codes[index] ?? [])].sort()])),
    days: { start: fromDayNumber(from), end: fromDayNumber(to) },
  };
}

/** The days of a currency's own rates, which are looked for once: thousands of pairs may be asked for. */
function daysOfColumns(): (columns: Columns, currency: string) => Days {
  const known = new Map<Column, Days>();
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

/** Frequencies with the days in which their rates are looked for: without a range, the same for all. */
function stretches(query: DataQuery, clock: Clock): { frequencies: readonly Frequency[]; days: Days }[] {
  const frequencies = frequenciesOf(query);
  const days = daysOf(query, clock);
  if (query.from === undefined && query.to === undefined) return [{ frequencies, days }];
  return frequencies.flatMap((frequency) => {
    const within = periodsWithin(frequency, days);
    return within ? [{ frequencies: [frequency], days: within }] : [];
  });
}

/** What could be asked for instead: all codes of which there are observations within the days of a query. */
export async function availableRegion(query: DataQuery, context: Context): Promise<Region> {
  const [provider, ...others] = query.providers ?? [];
  const pivot = provider !== undefined && others.length === 0 ? providerOf(provider)?.pivot_currency : null;
  const denominator = pivot ?? 'EUR';
  const found = await exactRegion({ ...query, keys: [allOf(denominator)] }, context);
  if (!found.days) return found;
  // Whatever can be changed into one currency can be changed into each other.
  const currencies = [...new Set([denominator, ...(found.codes.get('CURRENCY') ?? [])])].sort();
  const codes = new Map(found.codes).set('CURRENCY', currencies).set('CURRENCY_DENOM', currencies);
  return { ...found, codes };
}

function allOf(denominator: string): KeySelection {
  const any = Object.fromEntries(DIMENSIONS.map(({ id }) => [id, undefined])) as Record<
    DimensionId,
    undefined
  >;
  return { ...any, CURRENCY_DENOM: [denominator] };
}
