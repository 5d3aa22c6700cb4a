import { type Columns, ColumnsBuilder, lastDayUpTo } from '../../../core/columns/columns.js';
import type { RawSelection } from '../../../core/database/bulk/read-rates.js';
import { type DayWindow, fromDayNumber, LAST_DAY, periodsOf } from '../../../core/domain/dates.js';
import { daysToPick } from '../../../core/domain/day-pick.js';
import { type DatedRows, mapRows, type RateRows } from '../snapshot/row.js';
import {
  columnsFor,
  type PeriodColumns,
  pickedBy,
  plainRows,
  type Range,
  rawDaysNeeded,
  withCarried,
} from '../snapshot/rows.js';
import type { Snapshot } from '../snapshot/snapshot.js';
import { blendsOn, type DayBlends } from '../sources/day-blends.js';
import type { Reader } from '../sources/raw-reads.js';
import type { RawStore } from '../sources/raw-store.js';
import {
  blendSources,
  collectShares,
  daysBehind,
  type ShareCollector,
  withSources,
} from '../sources/row-sources.js';
import { needsSources, type ResolvedRequest } from './request.js';

export interface RawContext {
  raw: RawStore;
  snapshot: Snapshot;
  /** Day number: rates dated later do not count as the newest yet. */
  tomorrow: number;
  reader: Reader;
}

interface RowsContext extends RawContext {
  request: ResolvedRequest;
}

/** Rows of the blend of some providers, or of all with their sources. Raw rows of a range are read in portions. */
export async function rowsFromRaw(context: RowsContext): Promise<RateRows> {
  const { when } = context.request;
  return when.form === 'range' ? { rows: rowsOfRange(context, when) } : rowsOfDay(context);
}

/** The rows of one day. For the newest rates it is the newest day, even if its own rates are not blended. */
async function rowsOfDay(context: RowsContext): Promise<RateRows> {
  const { request, tomorrow } = context;
  const known = await knownDays(context, request.when.form === 'date' ? LAST_DAY : tomorrow);
  const picked = known && pickedBy(request.when, known.newest);
  if (!picked) return { rows: [] };
  const ofDay: ResolvedRequest = { ...request, when: { form: 'date', ...picked } };
  const found = await rowsOn({ ...context, request: ofDay }, daysToPick(picked));
  return { ...found, newest: Math.min(known.newest, tomorrow) };
}

/** Rows of a range are made for about this many days at a time, in whole periods. */
const DAYS_AT_ONCE = 62;
/** The most days whose raw rows are read and blended at a time: two months and the days that count for them. */
const DAYS_READ_AT_ONCE = 120;

/** Generates whole periods at a time, as the client reads: the raw rows of decades do not fit into memory. */
async function* rowsOfRange(context: RowsContext, range: Range): AsyncGenerator<DatedRows> {
  const periods = periodsOf(range.period, range);
  const { fillDays = 0 } = range;
  const known = await knownDays(context, LAST_DAY);
  if (!known) return;
  // A period that the range covers only in part has rows of all its days.
  const first = periods.firstDayOf(Math.max(range.from, known.first));
  const last = Math.min(range.to, known.newest + fillDays);
  for (let start = first; start <= last; ) {
    const end = periods.lastDayOf(start + DAYS_AT_ONCE - 1);
    const when: Range = { ...range, from: Math.max(range.from, start), to: Math.min(range.to, end) };
    const window = { from: Math.max(start - fillDays, known.first), to: Math.min(end, known.newest) };
    const { rows } = await rowsOn({ ...context, request: { ...context.request, when } }, window);
    yield* rows;
    start = end + 1;
  }
}

/** The first day, and the newest up to a limit, on which there may be rows. */
async function knownDays({ raw, snapshot, request, reader }: RowsContext, upTo: number) {
  if (request.providers) return raw.span(snapshot, request.providers, upTo, reader);
  const { days } = snapshot.days;
  const [first, newest] = [days[0], lastDayUpTo(days, upTo)];
  return first === undefined || newest === undefined ? undefined : { first, newest };
}

/** The rows of a request in a window of days. */
function rowsOn(context: RowsContext, window: DayWindow): Promise<RateRows> {
  const { providers } = context.request;
  const needed = withCarried(window);
  return providers ? rowsOfSubset(context, providers, needed) : rowsOfBlend(context, needed);
}

async function rowsOfSubset(context: RowsContext, providers: readonly string[], needed: DayWindow) {
  const { request, tomorrow } = context;
  const shares = needsSources(request.expand) ? collectShares(request.when) : undefined;
  const columns = { days: await subsetOn(context, providers, needed, shares) };
  const { rows } = plainRows(columns, request, tomorrow);
  return shares ? withShares(rows, shares, columns, request) : { rows };
}

/** The rates are stored. Only the days behind them are blended again, for their sources. */
async function rowsOfBlend(context: RowsContext, needed: DayWindow): Promise<RateRows> {
  const { snapshot, request, tomorrow } = context;
  const { base, quotes } = request;
  const { rows, estimate } = plainRows(snapshot, request, tomorrow);
  if (estimate === 0) return { rows: [] };
  const dates = [...rows];
  const shares = collectShares(request.when, daysBehind(dates, base, snapshot.days));
  const { from, to } = shares.window;
  const behind = { from: Math.max(needed.from, from), to: Math.min(needed.to, to) };
  const selection = quotes && { currencies: [...quotes, base] };
  for await (const blends of blendsBetween(context, selection, behind, shares.isWanted)) shares.add(blends);
  return withShares(dates, shares, snapshot, request);
}

function withShares(
  rows: Iterable<DatedRows>,
  shares: ShareCollector,
  columns: PeriodColumns,
  request: ResolvedRequest,
): RateRows {
  const sources = blendSources(shares.finish(), columnsFor(columns, request), request);
  return mapRows({ rows }, withSources(sources, request, undefined));
}

/** The blends of some providers in a window, of the days on which any of them published. Collects their shares too. */
export async function subsetOn(
  context: RawContext,
  providers: readonly string[],
  window: DayWindow,
  shares?: ShareCollector,
): Promise<Columns> {
  const subset = new ColumnsBuilder();
  for await (const blends of blendsBetween(context, { providers }, window)) {
    const { day } = blends;
    const date = fromDayNumber(day);
    // The others are carried from days before.
    for (const [quote, blend] of blends.blends)
      if (blend.date === date) subset.append(quote, day, blend.rate);
    shares?.add(blends);
  }
  return subset.finish();
}

/** The blends of the wanted days of a window. Their raw rows are read in batches. */
async function* blendsBetween(
  { raw, snapshot, reader }: RawContext,
  selection: RawSelection | undefined,
  { from, to }: DayWindow,
  isWanted?: (day: number) => boolean,
): AsyncGenerator<DayBlends> {
  for (let start = from; start <= to; start += DAYS_READ_AT_ONCE) {
    const portion = { from: start, to: Math.min(to, start + DAYS_READ_AT_ONCE - 1) };
    const table = await raw.read(snapshot, { ...selection, ...rawDaysNeeded(portion) }, reader);
    yield* blendsOn(table, portion, isWanted);
  }
}
