import type { PublishedFigure, ReadFigures } from '../../../core/database/bulk/published-figures.js';
import { currencies } from '../../../core/domain/currencies.js';
import type { Clock } from '../../../core/domain/dates.js';
import { groupBy } from '../../../core/domain/group-by.js';
import { roundForStorage } from '../../../core/domain/rounding.js';
import { changedRowsOf } from '../engine/changes.js';
import type { RatesContext, RatesView } from '../engine/rates-view.js';
import { type ResolvedRequest, resolveRequest } from '../engine/request.js';
import { type DatedRows, PlainRows, type Row, shownRate } from '../snapshot/row.js';
import { type DataQuery, daysOf, isInMemory, sharedParameters } from './data-query.js';
import { FREQUENCIES, type Frequency, periodsWithin } from './periods.js';
import {
  byKey,
  isSelected,
  RATE_TYPES,
  Series,
  type SeriesKey,
  type SeriesReader,
  type Suffix,
} from './series.js';

interface Dependencies {
  view: RatesView;
  context: RatesContext;
}

/** The most series held at a time if rates are in memory. */
const SERIES_HELD = 16;

/** Collects rows, which come by date, in columns: a few currencies at a time if in memory, or all in advance. */
export async function readSeries(query: DataQuery, dependencies: Dependencies): Promise<SeriesReader> {
  const codes = query.currencies ?? [...currencies.keys()].sort();
  const size = isInMemory(query) ? batchSize(query) : codes.length;
  const batches: (readonly string[])[] = [];
  for (let at = 0; at < codes.length; at += size) batches.push(codes.slice(at, at + size));
  const read = () => seriesIn(query, dependencies, batches);
  if (isInMemory(query)) return read;
  const series: Series[] = [];
  for await (const one of read()) series.push(one);
  return () => series;
}

/** The number of currencies that are read together from memory. */
export function batchSize(query: DataQuery): number {
  return Math.max(1, Math.floor(SERIES_HELD / query.denominators.length));
}

async function* seriesIn(
  query: DataQuery,
  dependencies: Dependencies,
  batches: readonly (readonly string[])[],
): AsyncGenerator<Series> {
  for (const frequency of query.frequencies) {
    for (const codes of batches) {
      const gathered: Series[] = [];
      for (const keys of keysTogether(query, frequency, codes))
        gathered.push(...(await gather(query, keys, dependencies)));
      yield* gathered.sort(byKey);
    }
  }
}

/** Generates keys that share a request: of one frequency, base and type. A change of one suffix is not one of the other. */
function* keysTogether(
  query: DataQuery,
  frequency: Frequency,
  codes: readonly string[],
): Generator<SeriesKey[]> {
  const suffixesTogether: Suffix[][] = query.updatedAfter === undefined ? [['A', 'E']] : [['A'], ['E']];
  for (const denominator of query.denominators) {
    for (const type of query.types) {
      for (const suffixes of suffixesTogether) {
        const keys = codes.flatMap((CURRENCY) =>
          suffixes.map((EXR_SUFFIX) => ({
            FREQ: frequency,
            CURRENCY,
            CURRENCY_DENOM: denominator,
            EXR_TYPE: type,
            EXR_SUFFIX,
          })),
        );
        yield keys.filter((key) => query.keys.some((selection) => isSelected(selection, key)));
      }
    }
  }
}

async function gather(query: DataQuery, keys: readonly SeriesKey[], dependencies: Dependencies) {
  const { clock } = dependencies.context;
  const request = requestFor(query, keys, clock);
  if (!request) return [];
  const { from } = daysOf(query, clock);
  const all = keys.map((key) => new Series(key));
  const byCurrency = groupBy(all, ({ key }) => key.CURRENCY);
  await eachRow(request, dependencies, (day, quote, row) => {
    // An official rate is dated with the first day of its own period, and a removed row has no observation.
    if (day < from || Number.isNaN(row.rate)) return;
    for (const series of byCurrency.get(quote) ?? []) {
      const value = series.key.EXR_SUFFIX === 'E' ? lastOf(row) : shownRate(row, 'display');
      if (value !== undefined) series.append({ day, value, isSuspect: row.suspect !== undefined });
    }
  });
  return all.filter(({ isEmpty }) => !isEmpty).map((series) => series.within(query));
}

/** Returns the request of such series. Undefined if there are none, or no period is within the days of the query. */
function requestFor(query: DataQuery, keys: readonly SeriesKey[], clock: Clock): ResolvedRequest | undefined {
  const [key] = keys;
  const periods = key && periodsWithin(key.FREQ, daysOf(query, clock));
  if (!periods) return undefined;
  return resolveRequest(
    {
      ...sharedParameters(query, periods, FREQUENCIES[key.FREQ].period),
      base: key.CURRENCY_DENOM,
      quotes: [...new Set(keys.map(({ CURRENCY }) => CURRENCY))],
      side: RATE_TYPES[key.EXR_TYPE],
      ...(keys.some(({ EXR_SUFFIX }) => EXR_SUFFIX === 'E') && { expand: ['stats'] }),
    },
    clock,
  );
}

/** Calls back with the rows of a request; with `updated_after`, with those that are new or changed. */
async function eachRow(
  request: ResolvedRequest,
  { view, context }: Dependencies,
  take: (day: number, quote: string, row: Omit<Row, 'quote'>) => void,
): Promise<void> {
  const rows = request.updatedAfter
    ? await changedRowsOf(context, request, { view, shown })
    : (await view.sourceOf(request.providers, request.side).rows(request, context)).rows;
  if (!(rows instanceof PlainRows)) {
    for await (const { day, rows: ofDay } of rows) for (const row of ofDay) take(day, row.quote, row);
    return;
  }
  // Without lists of rows, long series take a tenth less time.
  for (let date = rows.nextDate(); date; date = rows.nextDate()) {
    const { day, rates, marks } = date;
    for (let index = 0; index < rates.length; index++) {
      const rate = rates[index] ?? Number.NaN;
      if (Number.isNaN(rate)) continue;
      const published = marks?.exact?.[index] === 1;
      const [suspect, stats] = [marks?.suspects?.[index], marks?.stats?.[index]];
      take(day, rows.quotes[index] ?? '', { rate, published, suspect, stats });
    }
  }
}

/** The visible parts of a row, whose change counts. */
function shown({ rows }: DatedRows): string[] {
  return rows.map((row) => [lastOf(row) ?? shownRate(row, 'display'), row.suspect !== undefined].join());
}

/** The last daily rate of a row's period, if requested. */
function lastOf({ stats }: Pick<Row, 'stats'>): number | undefined {
  return stats?.last ?? undefined;
}

/** Reads each figure published, including replaced ones, into columns. Throws an HttpError 503 without the database. */
export async function readHistory(
  query: DataQuery,
  view: RatesView,
  { readFigures, clock }: { readFigures: ReadFigures; clock: Clock },
): Promise<SeriesReader> {
  const [provider] = query.providers ?? [];
  const all: Series[] = [];
  if (provider === undefined || !query.frequencies.includes('D')) return () => [];
  const take = ({ day, rate, isLeftOut, recordedAt, replacedAt, ...pair }: PublishedFigure) => {
    const [CURRENCY_DENOM, CURRENCY] = [pair.base, pair.quote];
    const key: SeriesKey = { FREQ: 'D', CURRENCY, CURRENCY_DENOM, EXR_TYPE: 'SP00', EXR_SUFFIX: 'A' };
    if (!query.keys.some((selection) => isSelected(selection, key))) return;
    if (recordedAt <= (query.updatedAfter ?? 0)) return;
    let series = all.at(-1);
    if (series?.key.CURRENCY !== CURRENCY || series.key.CURRENCY_DENOM !== CURRENCY_DENOM) {
      series = new Series(key);
      all.push(series);
    }
    const validity = { from: recordedAt, to: replacedAt };
    series.append({ day, value: roundForStorage(rate), isSuspect: isLeftOut, validity });
  };
  const selection = {
    provider,
    bases: query.denominators,
    quotes: query.currencies,
    ...daysOf(query, clock),
    knownAt: view.knownAt,
  };
  await readFigures(selection, take);
  const finished = all.map((series) => series.within(query));
  return () => finished;
}
