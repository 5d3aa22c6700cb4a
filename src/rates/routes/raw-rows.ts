import { WINDOW_DAYS } from '../../../core/domain/blend/carry-forward.js';
import { dayNumber } from '../../../core/domain/dates.js';
import { type Grouping, periodsOf } from '../../../core/domain/periods.js';
import type { Columns } from '../snapshot/columns.js';
import { meansWithoutPegs } from '../snapshot/means.js';
import { byDate, type DatedRows } from '../snapshot/row.js';
import {
  columnsFor,
  type DateSelection,
  type PeriodColumns,
  periodsFor,
  plainRows,
  type RequestedPlainRows,
} from '../snapshot/rows.js';
import type { Snapshot } from '../snapshot/snapshot.js';
import { type DayBlends, windowOfNewest } from '../sources/day-blends.js';
import { type OfficialRates, officialRowsBetween, officialRowsOn } from '../sources/official.js';
import { PORTION_DAYS, portionsOf } from '../sources/portions.js';
import type { ProviderRates } from '../sources/provider-rates.js';
import { providerRows, withOwnSource } from '../sources/provider-rows.js';
import type { RawStore, Reader } from '../sources/raw-store.js';
import type { RawTable } from '../sources/raw-table.js';
import { PeriodShares, sourcesAmong, withQuality, withSources } from '../sources/row-sources.js';
import { blendOf, createSubsetBlend } from '../sources/subset-blend.js';
import { needsSources, type RatesRequest } from './request.js';

/** What rows are made from. */
export interface RawContext {
  raw: RawStore;
  snapshot: Snapshot;
  request: RatesRequest;
  /** Day number: rates dated later are not yet the newest ones. */
  tomorrow: number;
  reader: Reader;
}

/** Rows that need raw rows, in order. */
export interface RawRows {
  rows: AsyncIterable<DatedRows>;
  /** The day up to which the newest rates were looked for; undefined for a range and where there is no data. */
  asOf?: number | undefined;
}

type Range = Extract<DateSelection, { form: 'range' }>;

/** The rows of a request that the snapshot alone can't answer: of one provider, of a subset, or with their sources. */
export async function rawRows(context: RawContext): Promise<RawRows> {
  const found = await rowsOf(context);
  const quality = qualityFor(context.request, found.asOf);
  return quality ? { ...found, rows: mapped(found.rows, quality) } : found;
}

/** Adds to rows how sure they are, where that is requested; undefined where it is not. */
function qualityFor(
  { base, providers, expand, when }: RatesRequest,
  asOf: number | undefined,
): ((dated: DatedRows) => DatedRows) | undefined {
  if (!expand.includes('quality')) return undefined;
  const day = when.form === 'date' ? when.day : asOf;
  const options = { base, pegged: providers === undefined, day, periods: periodsFor(when) };
  return (dated) => withQuality(dated, options);
}

async function* mapped(
  dates: AsyncIterable<DatedRows>,
  change: (dated: DatedRows) => DatedRows,
): AsyncGenerator<DatedRows> {
  for await (const dated of dates) yield change(dated);
}

async function rowsOf(context: RawContext): Promise<RawRows> {
  const { providers = [], when } = context.request;
  if (providers.length === 1) return ownRows(context, providers[0] ?? '');
  if (when.form === 'range') {
    const isLong = when.period === 'quarter' || when.period === 'year' || when.period === 'range';
    return { rows: isLong ? longPeriods(context, when) : rangeInPortions(context, when) };
  }
  const isNewest = providers.length === 0 && when.form === 'newest' && !context.snapshot.past;
  return isNewest ? newestExpanded(context) : dayRows(context);
}

/** Whether rows come from raw rows that are not cached: neither the newest ones nor those of one provider. */
export function readsUncached({ providers, expand, when, asOf }: RatesRequest): boolean {
  if (providers) return providers.length > 1;
  return needsSources(expand) && (when.form !== 'newest' || asOf !== undefined);
}

/** The newest rates with their sources, from cached raw rows. */
async function newestExpanded(context: RawContext): Promise<RawRows> {
  const { raw, snapshot, request, tomorrow, reader } = context;
  const plain = plainRows(snapshot, request, tomorrow);
  const asOf = plain.asOf ?? tomorrow;
  const { readFrom, from } = windowOfNewest(asOf);
  const recent = await raw.since(snapshot, readFrom, reader);
  const blends = await recent.blends(from, asOf);
  const rows = expanded(context, byDate(plain.rows), { columns: snapshot, table: recent.table, blends });
  return { rows, asOf: plain.asOf };
}

// About 40 sources each: little enough to be made without letting others go first.
const FEW_EXPANDED = 16;

/**
 * The newest rates of a few quotes with their sources, without waiting, where their raw rows are cached and blended.
 * Undefined for any other rows.
 */
export function newestFromCache(
  context: RawContext,
): { rows: Iterable<DatedRows>; asOf: number | undefined } | undefined {
  const { raw, snapshot, request, tomorrow } = context;
  const { base, quotes, providers, when } = request;
  if (providers || when.form !== 'newest' || snapshot.past) return undefined;
  if (!quotes || quotes.length > FEW_EXPANDED) return undefined;
  const plain = plainRows(snapshot, request, tomorrow);
  const { asOf = tomorrow } = plain;
  const { readFrom, from } = windowOfNewest(asOf);
  const blends = raw.cachedSince(snapshot, readFrom)?.computedBlends(from, asOf);
  if (!blends) return undefined;
  const columns = columnsFor(snapshot, request);
  const withOwnSources = sourcesAmong(blends, { base, columns, pegged: true });
  const quality = qualityFor(request, plain.asOf);
  const rows = [...byDate(plain.rows)].map(withOwnSources);
  return { rows: quality ? rows.map(quality) : rows, asOf: plain.asOf };
}

/** The rows of one day: with sources, or of a subset of the providers. */
async function dayRows(context: RawContext): Promise<RawRows> {
  const { raw, snapshot, request, tomorrow, reader } = context;
  const { providers, when } = request;
  const upTo = when.form === 'date' ? LAST_DAY : tomorrow;
  const known = providers && (await raw.span(snapshot, providers, upTo, reader));
  if (providers && !known) return { rows: inOrder([]) };
  const newest = known?.newest ?? plainRows(snapshot, request, tomorrow).asOf ?? tomorrow;
  const to = when.form === 'date' ? when.day : newest;
  return rowsFrom(context, { from: to - WINDOW_DAYS, to });
}

/**
 * The rows of a range, portion by portion of whole periods. Each is read when the client has read the one before, in a
 * short transaction of its own, and all of them at the data version of the snapshot.
 */
async function* rangeInPortions(context: RawContext, range: Range): AsyncGenerator<DatedRows> {
  const periods = periodsOf(range.period, range);
  const known = await knownDays(context);
  if (!known) return;
  // A period that the range only touches has rows of all its days.
  const first = periods.firstDayOf(Math.max(range.from, known.first));
  const last = Math.min(range.to, known.newest + (range.fillDays ?? 0));
  let isPatient = false;
  for (let start = first; start <= last; ) {
    const end = periods.lastDayOf(start + PORTION_DAYS - 1);
    const when: Range = { ...range, from: Math.max(range.from, start), to: Math.min(range.to, end) };
    const portion = { ...context, request: { ...context.request, when } };
    const { rows } = await rowsFrom(portion, { from: start, to: end }, { isPatient });
    for await (const dated of rows) {
      yield dated;
      isPatient = true;
    }
    start = end + 1;
  }
}

/**
 * The rows of periods that are too long for their raw rows to be held: these are read in portions, of which only the
 * sums are kept.
 */
async function* longPeriods(context: RawContext, range: Range): AsyncGenerator<DatedRows> {
  const { raw, snapshot, request, tomorrow, reader } = context;
  const { base, providers, expand } = request;
  const periods = periodsOf(range.period, range);
  const known = await knownDays(context);
  if (!known) return;
  const from = Math.max(periods.firstDayOf(range.from), known.first);
  const to = Math.min(periods.lastDayOf(range.to), known.newest);
  const shares = needsSources(expand) ? new PeriodShares(periods) : undefined;
  const subset = providers && createSubsetBlend();
  // The daily rows of the first days need a base that is carried to them.
  for (const window of portionsOf(from - WINDOW_DAYS, to)) {
    const isPatient = window.from > from;
    const table = await raw.read(snapshot, selectionOf(request, window), reader, { isPatient });
    await subset?.add(table, window, reader.yieldNow);
    await shares?.add(table, { ...window, from: Math.max(from, window.from) }, reader.yieldNow);
  }
  const columns = subset ? allDays(subset.finish()) : snapshot;
  const plain = plainRows(columns, request, tomorrow);
  const rows = byDate(plain.rows);
  const options = { base, columns: columnsFor(columns, request), pegged: providers === undefined };
  yield* shares ? shares.sourcesOf(rows, options) : rows;
}

/** The raw rows that rows of a window are made from: the base is carried from up to 14 days before, as its rates are. */
function selectionOf(
  { base, quotes, providers }: RatesRequest,
  { from, to }: { from: number; to: number },
  carriedDays = 0,
) {
  const selection = providers ? { providers } : quotes && { currencies: [...quotes, base] };
  return { ...selection, from: from - carriedDays - 2 * WINDOW_DAYS, to };
}

/** The first and the newest day on which there may be rows. */
async function knownDays({ raw, snapshot, request, reader }: RawContext) {
  if (request.providers) return raw.span(snapshot, request.providers, LAST_DAY, reader);
  const { days } = snapshot.days;
  const [first, newest] = [days[0], days.at(-1)];
  return first === undefined || newest === undefined ? undefined : { first, newest };
}

const LAST_DAY = dayNumber('9999-12-31');

/** The rows of a request, made from the raw rows of a window of whole periods that contains its days. */
async function rowsFrom(
  context: RawContext,
  window: { from: number; to: number },
  options: { isPatient?: boolean } = {},
): Promise<RawRows> {
  const { raw, snapshot, request, tomorrow, reader } = context;
  const { providers, expand } = request;
  if (!providers && plainRows(snapshot, request, tomorrow).estimate === 0) return { rows: inOrder([]) };
  const carriedDays = fillDaysOf(request);
  const table = await raw.read(snapshot, selectionOf(request, window, carriedDays), reader, options);
  const from = window.from - carriedDays;
  const columns = providers ? await blendedForms(table, context, { ...window, from }) : snapshot;
  const plain = plainRows(columns, request, tomorrow);
  const dates = byDate(plain.rows);
  const rows = needsSources(expand) ? expanded(context, dates, { columns, table }) : inOrder(dates);
  return { rows, asOf: plain.asOf };
}

function fillDaysOf({ when }: RatesRequest): number {
  return when.form === 'range' ? (when.fillDays ?? 0) : 0;
}

/** The blend of a subset for a window, in the form that the request needs. */
async function blendedForms(
  table: RawTable,
  { request: { when }, reader }: RawContext,
  { from, to }: { from: number; to: number },
): Promise<PeriodColumns> {
  const days = await blendOf(table, { from: from - WINDOW_DAYS, to }, reader.yieldNow);
  const means = (period: Grouping) =>
    when.form === 'range' && when.period === period ? meansWithoutPegs(days, period, when) : days;
  return { days, weeks: means('week'), months: means('month') };
}

/** Columns for requests that have no use for weeks and months. */
function allDays(days: Columns): PeriodColumns {
  return { days, weeks: days, months: days };
}

interface Blended {
  columns: PeriodColumns;
  table: RawTable;
  blends?: readonly DayBlends[];
}

/** The rows with their sources. */
function expanded(
  { request, reader: { yieldNow } }: RawContext,
  rows: Iterable<DatedRows>,
  { columns, table, blends }: Blended,
): AsyncIterable<DatedRows> {
  const { base, providers, when } = request;
  const pegged = providers === undefined;
  const ownColumns = columnsFor(columns, request);
  if (when.form === 'range' && when.period !== 'day') {
    return withMeanSources(rows, { table, range: when, yieldNow, base, columns: ownColumns, pegged });
  }
  const carriedDays = fillDaysOf(request);
  return withSources([...rows], {
    base,
    columns: ownColumns,
    pegged,
    table,
    carriedDays,
    yieldNow,
    ...(blends && { blends }),
  });
}

async function* withMeanSources(
  rows: Iterable<DatedRows>,
  options: {
    table: RawTable;
    range: Range;
    yieldNow: Reader['yieldNow'];
    base: string;
    columns: Columns;
    pegged: boolean;
  },
): AsyncGenerator<DatedRows> {
  const { table, range, yieldNow } = options;
  const periods = periodsOf(range.period, range);
  const shares = new PeriodShares(periods);
  await shares.add(
    table,
    { from: periods.firstDayOf(range.from), to: periods.lastDayOf(range.to) },
    yieldNow,
  );
  yield* shares.sourcesOf(rows, options);
}

/**
 * One provider's rows where they don't name it and are not valid for a period: they are read from columns, as those of
 * the snapshot are. Undefined for any other rows.
 */
export async function ownPlainRows(context: RawContext): Promise<RequestedPlainRows | undefined> {
  const key = plainProvider(context.request);
  if (key === undefined) return undefined;
  return ownRowsOf(await context.raw.ofProvider(context.snapshot, key, context.reader), context);
}

/** The same, without waiting, where the provider's rates are cached. */
export function ownFromCache(context: RawContext): RequestedPlainRows | undefined {
  const key = plainProvider(context.request);
  const rates = key === undefined ? undefined : context.raw.cachedOfProvider(context.snapshot, key);
  return rates && ownRowsOf(rates, context);
}

/** The only provider of a request without sources. */
function plainProvider({ providers = [], expand }: RatesRequest): string | undefined {
  return providers.length === 1 && !needsSources(expand) ? providers[0] : undefined;
}

function ownRowsOf(rates: ProviderRates, { request, tomorrow }: RawContext): RequestedPlainRows | undefined {
  return rates.official ? undefined : providerRows(rates, request, tomorrow);
}

/** One provider's own rows; its rates are at hand. */
async function ownRows(
  { raw, snapshot, request, tomorrow, reader }: RawContext,
  key: string,
): Promise<RawRows> {
  const rates = await raw.ofProvider(snapshot, key, reader);
  if (rates.official) return officialRows(rates.official, key, { request, tomorrow, reader });
  const { rows, asOf } = providerRows(rates, request, tomorrow);
  const dated = byDate(rows);
  const shown = needsSources(request.expand) ? withOwnSource(dated, key, request.base) : dated;
  return { rows: yielding(shown, reader), asOf };
}

/** The rates that are valid on a day, today without one, or on the days of a range. */
function officialRows(
  rates: OfficialRates,
  key: string,
  { request, tomorrow, reader }: Pick<RawContext, 'request' | 'tomorrow' | 'reader'>,
): RawRows {
  const { base, expand, when } = request;
  const withSource = (dates: Iterable<DatedRows>) =>
    yielding(needsSources(expand) ? withOwnSource(dates, key, base) : dates, reader);
  if (when.form === 'range') return { rows: withSource(officialRowsBetween(rates, request, when)) };
  const day = when.form === 'date' ? when.day : tomorrow - 1;
  const asOf = when.form === 'date' || rates.table.days.length > 0 ? day : undefined;
  return { rows: withSource(officialRowsOn(rates, request, day)), asOf };
}

async function* yielding(dates: Iterable<DatedRows>, { yieldNow }: Reader): AsyncGenerator<DatedRows> {
  for (const dated of dates) {
    yield dated;
    await yieldNow();
  }
}

async function* inOrder(dates: Iterable<DatedRows>): AsyncGenerator<DatedRows> {
  yield* dates;
}
