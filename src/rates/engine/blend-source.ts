import type { Columns } from '../../../core/columns/columns.js';
import { WINDOW_DAYS } from '../../../core/domain/blend/carry-forward.js';
import { dayNumber } from '../../../core/domain/dates.js';
import { daysToPick, onOrBefore } from '../../../core/domain/day-pick.js';
import { periodsOf } from '../../../core/domain/periods.js';
import { byDate, type DatedRows } from '../snapshot/row.js';
import { columnsFor, type DateSelection, type PeriodColumns, pegsOn, plainRows } from '../snapshot/rows.js';
import { type DayBlends, windowOfNewest } from '../sources/day-blends.js';
import { PORTION_DAYS, portionsOf } from '../sources/portions.js';
import type { Reader } from '../sources/raw-store.js';
import type { RawTable } from '../sources/raw-table.js';
import { PeriodShares, qualityFor, sourcesAmong, withSources } from '../sources/row-sources.js';
import { blendOf, createSubsetBlend } from '../sources/subset-blend.js';
import { rawDaysNeeded, withCarried } from './days-needed.js';
import { type Ground, inTurns, type LookUpDays, type RateRows, type RateSource } from './rate-source.js';
import { needsSources, type ResolvedRequest } from './request.js';

/** What rows are made from. */
interface RowsContext extends Ground {
  request: ResolvedRequest;
  reader: Reader;
}

type Range = Extract<DateSelection, { form: 'range' }>;
type Dates = Iterable<DatedRows> | AsyncIterable<DatedRows>;

/** The blend of all providers, with pegs applied: of a snapshot, and of raw rows where the sources of a row are asked for. */
export function blendSource(ground: Ground): RateSource {
  const { snapshot, tomorrow } = ground;
  const { days } = snapshot;
  const rowsInMemory = (request: ResolvedRequest) =>
    needsSources(request.expand) ? newestInMemory(ground, request) : plainRows(snapshot, request, tomorrow);
  return {
    rowsInMemory,
    rows: async (request, reader) => rowsInMemory(request) ?? rowsOf({ ...ground, request, reader }),
    ratesOn: async () => ({
      snapshot,
      days: days.days,
      columnsFor: () => days,
      ownFor: (base) => pegsOn(base, days.days),
    }),
  };
}

/** The blend of some providers, without pegs. It is made of raw rows whenever it is asked for. */
export function subsetSource(ground: Ground, providers: readonly string[]): RateSource {
  return {
    rowsInMemory: () => undefined,
    rows: (request, reader) => rowsOf({ ...ground, request, reader }),
    async ratesOn(days, reader) {
      const { columns, newest } = await subsetOn(ground, providers, { days, reader });
      return {
        snapshot: ground.snapshot,
        days: Int32Array.from(newest === undefined ? [] : [newest]),
        columnsFor: () => columns,
        ownFor: () => undefined,
        isPartial: true,
      };
    },
  };
}

/** The blend of the days that rows are made of, and the newest day on which any of the providers published. */
async function subsetOn(
  { raw, snapshot, tomorrow }: Ground,
  providers: readonly string[],
  { days, reader }: { days: LookUpDays; reader: Reader },
): Promise<{ columns: Columns; newest: number | undefined }> {
  const known = await raw.span(snapshot, providers, tomorrow, reader);
  const newest = known?.newest ?? tomorrow;
  const last = Math.min(days.to ?? tomorrow, newest);
  const asked = withCarried({ from: Math.min(days.from ?? last, last - WINDOW_DAYS), to: last });
  const from = Math.max(asked.from, known?.first ?? tomorrow);
  const to = Math.min(asked.to, newest);
  const blend = createSubsetBlend();
  for (const window of portionsOf(from, to)) {
    const selection = { providers, from: window.from - WINDOW_DAYS, to: window.to };
    await blend.add(await raw.read(snapshot, selection, reader), window, reader.yieldNow);
  }
  return { columns: await blend.finish(reader.yieldNow), newest: known?.newest };
}

/** Rows that are made of raw rows: of a subset, or with their sources. */
async function rowsOf(context: RowsContext): Promise<RateRows> {
  const found = await rowsFromRaw(context);
  const { request, reader } = context;
  return { rows: inTurns(found.rows, reader, qualityFor(request, found.asOf)), asOf: found.asOf };
}

async function rowsFromRaw(context: RowsContext): Promise<{ rows: Dates; asOf?: number | undefined }> {
  const { request, snapshot } = context;
  const { providers, when } = request;
  if (when.form === 'range') {
    const isLong = when.period === 'quarter' || when.period === 'year' || when.period === 'range';
    return { rows: isLong ? longPeriods(context, when) : rangeInPortions(context, when) };
  }
  return providers || when.form === 'date' || snapshot.past ? dayRows(context) : newestExpanded(context);
}

/** The newest rates with their sources, from cached raw rows. */
async function newestExpanded(context: RowsContext): Promise<{ rows: Dates; asOf: number | undefined }> {
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

/** The newest rates of a few quotes with their sources, where their raw rows are cached and blended. */
function newestInMemory({ raw, snapshot, tomorrow }: Ground, request: ResolvedRequest): RateRows | undefined {
  const { base, quotes, when } = request;
  if (when.form !== 'newest' || snapshot.past) return undefined;
  if (!quotes || quotes.length > FEW_EXPANDED) return undefined;
  const plain = plainRows(snapshot, request, tomorrow);
  const { asOf = tomorrow } = plain;
  const { readFrom, from } = windowOfNewest(asOf);
  const blends = raw.cachedSince(snapshot, readFrom)?.computedBlends(from, asOf);
  if (!blends) return undefined;
  const columns = columnsFor(snapshot, request);
  const withOwnSources = sourcesAmong(blends, { base, columns, pegged: true });
  const rows = [...byDate(plain.rows)].map(withOwnSources).map(qualityFor(request, plain.asOf));
  return { rows, estimate: rows.length, asOf: plain.asOf };
}

/** The rows of one day: with sources, or of a subset of the providers. */
async function dayRows(context: RowsContext): Promise<{ rows: Dates; asOf?: number | undefined }> {
  const { raw, snapshot, request, tomorrow, reader } = context;
  const { providers, when } = request;
  const upTo = when.form === 'date' ? LAST_DAY : tomorrow;
  const known = providers && (await raw.span(snapshot, providers, upTo, reader));
  if (providers && !known) return { rows: [] };
  if (when.form === 'date') return rowsFrom(context, daysToPick(when));
  const newest = known?.newest ?? plainRows(snapshot, request, tomorrow).asOf;
  if (newest === undefined) return { rows: [] };
  // They are those as of the newest row, also where that one is not blended.
  const picked = onOrBefore(newest);
  const ofDay: ResolvedRequest = { ...request, when: { form: 'date', ...picked } };
  return rowsFrom({ ...context, request: ofDay }, daysToPick(picked));
}

/**
 * The rows of a range, portion by portion of whole periods. Each is read when the client has read the one before, in a
 * short transaction of its own, and all of them at the data version of the snapshot.
 */
async function* rangeInPortions(context: RowsContext, range: Range): AsyncGenerator<DatedRows> {
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
async function* longPeriods(context: RowsContext, range: Range): AsyncGenerator<DatedRows> {
  const { raw, snapshot, request, tomorrow, reader } = context;
  const { base, providers, expand } = request;
  const periods = periodsOf(range.period, range);
  const known = await knownDays(context);
  if (!known) return;
  const from = Math.max(periods.firstDayOf(range.from), known.first);
  const to = Math.min(periods.lastDayOf(range.to), known.newest);
  const shares = needsSources(expand) ? new PeriodShares(periods) : undefined;
  const subset = providers && createSubsetBlend();
  const needed = withCarried({ from, to });
  for (const window of portionsOf(needed.from, needed.to)) {
    const isPatient = window.from > from;
    const table = await raw.read(snapshot, selectionOf(request, window), reader, { isPatient });
    await subset?.add(table, window, reader.yieldNow);
    const ofPeriods = { from: Math.max(from, window.from), to: Math.min(to, window.to) };
    await shares?.add(table, ofPeriods, reader.yieldNow);
  }
  const columns = subset ? { days: await subset.finish(reader.yieldNow) } : snapshot;
  const plain = plainRows(columns, request, tomorrow);
  const rows = byDate(plain.rows);
  const options = { base, columns: columnsFor(columns, request), pegged: providers === undefined };
  yield* shares ? shares.sourcesOf(rows, options) : rows;
}

/** The raw rows that the blends of some days are made from: those of up to 14 days before count in the first of them. */
function selectionOf({ base, quotes, providers }: ResolvedRequest, days: { from: number; to: number }) {
  const selection = providers ? { providers } : quotes && { currencies: [...quotes, base] };
  return { ...selection, ...rawDaysNeeded(days) };
}

/** The first and the newest day on which there may be rows. */
async function knownDays({ raw, snapshot, request, reader }: RowsContext) {
  if (request.providers) return raw.span(snapshot, request.providers, LAST_DAY, reader);
  const { days } = snapshot.days;
  const [first, newest] = [days[0], days.at(-1)];
  return first === undefined || newest === undefined ? undefined : { first, newest };
}

const LAST_DAY = dayNumber('9999-12-31');

/** The rows of a request, made from the raw rows of a window of whole periods that contains its days. */
async function rowsFrom(
  context: RowsContext,
  window: { from: number; to: number },
  options: { isPatient?: boolean } = {},
): Promise<{ rows: Dates; asOf?: number | undefined }> {
  const { raw, snapshot, request, tomorrow, reader } = context;
  const { providers, expand } = request;
  if (!providers && plainRows(snapshot, request, tomorrow).estimate === 0) return { rows: [] };
  const days = withCarried({ ...window, from: window.from - fillDaysOf(request) });
  const table = await raw.read(snapshot, selectionOf(request, days), reader, options);
  const columns = providers ? { days: await blendOf(table, days, reader.yieldNow) } : snapshot;
  const plain = plainRows(columns, request, tomorrow);
  const dates = byDate(plain.rows);
  const rows = needsSources(expand) ? expanded(context, dates, { columns, table }) : dates;
  return { rows, asOf: plain.asOf };
}

function fillDaysOf({ when }: ResolvedRequest): number {
  return when.form === 'range' ? (when.fillDays ?? 0) : 0;
}

interface Blended {
  columns: PeriodColumns;
  table: RawTable;
  blends?: readonly DayBlends[];
}

/** The rows with their sources. */
async function* expanded(
  { request, reader: { yieldNow } }: RowsContext,
  rows: Iterable<DatedRows>,
  { columns: columnsByPeriod, ...blended }: Blended,
): AsyncGenerator<DatedRows> {
  const { base, providers, when } = request;
  const options = { base, columns: columnsFor(columnsByPeriod, request), pegged: providers === undefined };
  if (when.form !== 'range' || when.period === 'day') {
    const carriedDays = fillDaysOf(request);
    yield* withSources([...rows], { ...options, ...blended, carriedDays, yieldNow });
    return;
  }
  const periods = periodsOf(when.period, when);
  const shares = new PeriodShares(periods);
  const days = { from: periods.firstDayOf(when.from), to: periods.lastDayOf(when.to) };
  await shares.add(blended.table, days, yieldNow);
  yield* shares.sourcesOf(rows, options);
}
