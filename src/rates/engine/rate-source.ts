import { type Columns, ColumnsBuilder, lastDayUpTo } from '../../../core/columns/columns.js';
import type { RawSelection } from '../../../core/database/bulk/read-rates.js';
import { WINDOW_DAYS } from '../../../core/domain/blend/carry-forward.js';
import { type DayWindow, fromDayNumber, LAST_DAY, periodsOf } from '../../../core/domain/dates.js';
import { daysToPick } from '../../../core/domain/day-pick.js';
import { type DatedRows, mapRows, type OwnPairs, type RateRows } from '../snapshot/row.js';
import { columnsFor, pickedBy, plainRows, type Range, rawDaysNeeded, withCarried } from '../snapshot/rows.js';
import type { Snapshot } from '../snapshot/snapshot.js';
import { blendsOn, type DayBlends } from '../sources/day-blends.js';
import type { OfficialRates } from '../sources/official.js';
import type { Reader } from '../sources/raw-reads.js';
import type { RawStore } from '../sources/raw-store.js';
import { blendSources, collectShares, daysBehind, withSources } from '../sources/row-sources.js';
import { needsSources, type ResolvedRequest } from './request.js';

/** The rates of all, some or one provider, known now or in the past. Methods throw the errors of the raw store. */
export interface RateSource {
  rows(request: ResolvedRequest, reader: Reader): RateRows | Promise<RateRows>;
  ratesOn(days: LookUpDays, reader: Reader): Promise<KnownRates>;
}

/** Selects the source of the rates of some providers, or of the blend of all. */
export type SourceOf = (
  providers: readonly string[] | undefined,
  side?: ResolvedRequest['side'],
) => RateSource;

/** Day numbers, both included. The start defaults to the first day needed for the end, the end to the newest day. */
export interface LookUpDays {
  from: number | undefined;
  to: number | undefined;
  currencies?: readonly string[];
}

/** Rates by day in columns, and the rates that pairs have of their own. */
export interface KnownRates {
  snapshot: Snapshot;
  /** Days with rates, ascending. The newest rates are searched up to the last of them. */
  days: Int32Array;
  columnsFor(base: string): Columns;
  ownFor(base: string): OwnPairs | undefined;
  /** Whether only the requested days are loaded, so that other days may have rates as well. */
  isPartial?: boolean;
  /** Why a pair has no rate on any day, if not because its source has none of a currency. */
  none?: string | undefined;
  /** Set instead if the rates are official ones, valid for a period. */
  official?: OfficialRates | undefined;
}

export interface SourceContext {
  raw: RawStore;
  snapshot: Snapshot;
  /** Day number: rates dated later do not count as the newest yet. */
  tomorrow: number;
}

interface RowsContext extends SourceContext {
  request: ResolvedRequest;
  reader: Reader;
}

/** The blend of some providers, without pegs. It is computed from raw rows for each request. */
export function subsetSource(context: SourceContext, providers: readonly string[]): RateSource {
  const { raw, snapshot, tomorrow } = context;
  return {
    rows: (request, reader) => rowsFromRaw({ ...context, request, reader }),
    /** The blend of the days that rows need; `days` has only the newest one on which any of the providers published. */
    async ratesOn(days, reader) {
      const known = await raw.span(snapshot, providers, tomorrow, reader);
      const newest = known?.newest ?? tomorrow;
      const last = Math.min(days.to ?? tomorrow, newest);
      const asked = withCarried({ from: Math.min(days.from ?? last, last - WINDOW_DAYS), to: last });
      const window = within(asked, { from: known?.first ?? tomorrow, to: newest });
      const subset = new ColumnsBuilder();
      for await (const blends of blendsBetween({ ...context, reader }, { providers }, window))
        addBlends(subset, blends);
      const columns = subset.finish();
      return {
        snapshot,
        days: Int32Array.from(known ? [newest] : []),
        columnsFor: () => columns,
        ownFor: () => undefined,
        isPartial: true,
      };
    },
  };
}

/** Adds the blends of a day that consist of rates of that day. */
function addBlends(builder: ColumnsBuilder, { day, blends }: DayBlends): void {
  const date = fromDayNumber(day);
  for (const [quote, blend] of blends) if (blend.date === date) builder.append(quote, day, blend.rate);
}

/** Rows that are computed from raw rows, each range in portions. */
export function rowsFromRaw(context: RowsContext): RateRows | Promise<RateRows> {
  const { when } = context.request;
  return when.form === 'range' ? { rows: rowsOfRange(context, when) } : rowsOfDay(context);
}

/** The rows of one day. For the newest rates it is the newest day, even if its own rates are not blended. */
async function rowsOfDay(context: RowsContext): Promise<RateRows> {
  const { raw, snapshot, request, tomorrow, reader } = context;
  const { providers, when } = request;
  const upTo = when.form === 'date' ? LAST_DAY : tomorrow;
  const known = providers && (await raw.span(snapshot, providers, upTo, reader));
  const newest = providers ? known?.newest : lastDayUpTo(snapshot.days.days, tomorrow);
  const picked = newest === undefined ? undefined : pickedBy(when, newest);
  if (!picked) return { rows: [] };
  const ofDay: ResolvedRequest = { ...request, when: { form: 'date', ...picked } };
  const found = await rowsFrom({ ...context, request: ofDay }, daysToPick(picked));
  return { ...found, newest: newest && Math.min(newest, tomorrow) };
}

/** Rows of a range are made for about this many days at a time, in whole periods. */
const DAYS_AT_ONCE = 62;
/** The most days whose raw rows are read and blended at a time: two months and the days that count for them. */
const DAYS_READ_AT_ONCE = 120;

/** Generates whole periods at a time, as the client reads: the raw rows of decades do not fit into memory. */
async function* rowsOfRange(context: RowsContext, range: Range): AsyncGenerator<DatedRows> {
  const periods = periodsOf(range.period, range);
  const { fillDays = 0 } = range;
  const known = await knownDays(context);
  if (!known) return;
  // A period that the range covers only in part has rows of all its days.
  const first = periods.firstDayOf(Math.max(range.from, known.first));
  const last = Math.min(range.to, known.newest + fillDays);
  for (let start = first; start <= last; ) {
    const end = periods.lastDayOf(start + DAYS_AT_ONCE - 1);
    const when: Range = { ...range, from: Math.max(range.from, start), to: Math.min(range.to, end) };
    const window = { from: Math.max(start - fillDays, known.first), to: Math.min(end, known.newest) };
    const { rows } = await rowsFrom({ ...context, request: { ...context.request, when } }, window);
    yield* rows;
    start = end + 1;
  }
}

/** The first and the newest day on which there may be rows. */
async function knownDays({ raw, snapshot, request, reader }: RowsContext) {
  if (request.providers) return raw.span(snapshot, request.providers, LAST_DAY, reader);
  const { days } = snapshot.days;
  const [first, newest] = [days[0], days.at(-1)];
  return first === undefined || newest === undefined ? undefined : { first, newest };
}

async function rowsFrom(context: RowsContext, window: DayWindow): Promise<RateRows> {
  const { snapshot, request, tomorrow } = context;
  const { base, quotes, providers, expand, when } = request;
  const stored = providers ? undefined : plainRows(snapshot, request, tomorrow);
  if (stored?.estimate === 0) return { rows: [] };
  const dates = stored && [...stored.rows];
  const shares = needsSources(expand)
    ? collectShares(when, dates && daysBehind(dates, base, snapshot.days))
    : undefined;
  const subset = providers && new ColumnsBuilder();
  const selection = providers ? { providers } : quotes && { currencies: [...quotes, base] };
  const isWanted = (day: number) => subset !== undefined || shares?.isWanted(day) === true;
  const blended = subset || !shares ? withCarried(window) : within(withCarried(window), shares.window);
  for await (const blends of blendsBetween(context, selection, blended, isWanted)) {
    if (subset) addBlends(subset, blends);
    shares?.add(blends);
  }
  const columns = subset ? { days: subset.finish() } : snapshot;
  const { rows, newest } = stored ?? plainRows(columns, request, tomorrow);
  const found = dates ?? rows;
  if (!shares) return { rows: found, newest };
  const sources = blendSources(shares.finish(), columnsFor(columns, request), request);
  return mapRows({ rows: found, newest }, withSources(sources, request, newest));
}

function within(days: DayWindow, { from, to }: DayWindow): DayWindow {
  return { from: Math.max(days.from, from), to: Math.min(days.to, to) };
}

/** The blends of the wanted days of a window. Their raw rows are read in batches. */
async function* blendsBetween(
  { raw, snapshot, reader }: SourceContext & { reader: Reader },
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
