import { WINDOW_DAYS } from '../../../core/domain/blend/carry-forward.js';
import { dayNumber } from '../../../core/domain/dates.js';
import { firstDayOf, lastDayOf, type Period } from '../../../core/domain/periods.js';
import { providers as allProviders } from '../../../core/domain/providers.js';
import type { DayBlends } from '../raw/day-blends.js';
import {
  newestDayOf,
  newestPinnedRows,
  type PinnedProvider,
  pinnedMeans,
  pinnedRowsBetween,
  withPinnedSource,
} from '../raw/pinned.js';
import type { RawStore, Reader } from '../raw/raw-store.js';
import type { RawTable } from '../raw/raw-table.js';
import { type SourcesOptions, withPeriodSources, withSources } from '../raw/sources.js';
import { blendOf } from '../raw/subset-blend.js';
import { meansOf } from '../snapshot/means.js';
import {
  byDate,
  columnsFor,
  type DatedRows,
  type PeriodColumns,
  plainRows,
  type RequestedPlainRows,
  type When,
} from '../snapshot/rows.js';
import type { Snapshot } from '../snapshot/snapshot.js';
import type { RatesRequest } from './request.js';

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

type Range = Extract<When, { form: 'range' }>;

/** The rows of a request that the snapshot alone can't answer: of one provider, of a subset, or with their sources. */
export async function rawRows(context: RawContext): Promise<RawRows> {
  const { providers = [], when } = context.request;
  if (providers.length === 1) return pinnedRows(context, providers[0] ?? '');
  if (when.form === 'range') return { rows: rangeInPortions(context, when) };
  return providers.length === 0 && when.form === 'newest' ? newestExpanded(context) : dayRows(context);
}

/** Whether rows come from raw rows that are not cached: neither the newest ones nor those of one provider. */
export function readsUncached({ providers, expand, when }: RatesRequest): boolean {
  if (providers) return providers.length > 1;
  return expand && when.form !== 'newest';
}

/** The newest rates with their sources, from cached raw rows. */
async function newestExpanded(context: RawContext): Promise<RawRows> {
  const { raw, snapshot, request, tomorrow, reader } = context;
  const plain = plainRows(snapshot, request, tomorrow);
  const asOf = plain.asOf ?? tomorrow;
  const recent = await raw.since(snapshot, asOf - 3 * WINDOW_DAYS, reader);
  const blends = await recent.blends(asOf - 2 * WINDOW_DAYS, asOf);
  const rows = expanded(context, plain, { columns: snapshot, table: recent.table, blends });
  return { rows, asOf: plain.asOf };
}

/** The rows of one day: with sources, or of a subset of the providers. */
async function dayRows(context: RawContext): Promise<RawRows> {
  const { raw, snapshot, request, tomorrow, reader } = context;
  const { providers, when } = request;
  const upTo = when.form === 'date' ? LAST_DAY : tomorrow;
  const known = providers && (await raw.span(snapshot, providers, upTo, reader));
  if (providers && !known) return { rows: inOrder([]) };
  const to = when.form === 'date' ? when.day : (known?.newest ?? tomorrow);
  return rowsFrom(context, { from: to - WINDOW_DAYS, to });
}

/**
 * About as many days of raw rows are read at a time, and kept while the client reads what is made of them. Each portion
 * also reads the 28 days before it, which rates are carried from.
 */
const PORTION_DAYS = 62;

/**
 * The rows of a range, portion by portion of whole periods. Each is read when the client has read the one before, in a
 * short transaction of its own, and all of them at the data version of the snapshot.
 */
async function* rangeInPortions(context: RawContext, range: Range): AsyncGenerator<DatedRows> {
  const { period } = range;
  const known = await knownDays(context);
  if (!known) return;
  const from = Math.max(range.from, known.first);
  const to = Math.min(range.to, known.newest);
  let isPatient = false;
  for (let start = firstDayOf(period, from); start <= to; ) {
    const end = lastDayOf(period, start + PORTION_DAYS - 1);
    const when: Range = { ...range, from: Math.max(from, start), to: Math.min(to, end) };
    const portion = { ...context, request: { ...context.request, when } };
    const { rows } = await rowsFrom(portion, { from: start, to: end }, { isPatient });
    for await (const dated of rows) {
      yield dated;
      isPatient = true;
    }
    start = end + 1;
  }
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
  const { base, quotes, providers, expand } = request;
  if (!providers && plainRows(snapshot, request, tomorrow).estimate === 0) return { rows: inOrder([]) };
  const selection = providers ? { providers } : quotes && { currencies: [...quotes, base] };
  // The base is carried from up to 14 days before the window, and the rates of that day from 14 days before it.
  const read = { ...selection, from: window.from - 2 * WINDOW_DAYS, to: window.to };
  const table = await raw.read(snapshot, read, reader, options);
  const columns = providers ? await blendedForms(table, context, window) : snapshot;
  const plain = plainRows(columns, request, tomorrow);
  const rows = expand ? expanded(context, plain, { columns, table }) : inOrder(byDate(plain.rows));
  return { rows, asOf: plain.asOf };
}

/** The blend of a subset for a window, in the form that the request needs. */
async function blendedForms(
  table: RawTable,
  { request: { when }, reader }: RawContext,
  { from, to }: { from: number; to: number },
): Promise<PeriodColumns> {
  const days = await blendOf(table, { from: from - WINDOW_DAYS, to }, reader.yieldNow);
  const means = (period: Exclude<Period, 'day'>) =>
    when.form === 'range' && when.period === period ? meansOf(days, period) : days;
  return { days, weeks: means('week'), months: means('month') };
}

interface Blended {
  columns: PeriodColumns;
  table: RawTable;
  blends?: readonly DayBlends[];
}

/** The rows with their sources. */
function expanded(
  { request, reader: { yieldNow } }: RawContext,
  plain: RequestedPlainRows,
  { columns, table, blends }: Blended,
): AsyncIterable<DatedRows> {
  const { base, providers, when } = request;
  const options: SourcesOptions = {
    base,
    columns: columnsFor(columns, request),
    pegged: providers === undefined,
    table,
    yieldNow,
    ...(blends && { blends }),
  };
  const dates = [...byDate(plain.rows)];
  return when.form === 'range' && when.period !== 'day'
    ? withPeriodSources(dates, when.period, options)
    : withSources(dates, options);
}

/** One provider's own rows. */
async function pinnedRows(context: RawContext, key: string): Promise<RawRows> {
  const { raw, snapshot, request, tomorrow, reader } = context;
  const pivot = allProviders.find((provider) => provider.key === key)?.pivot_currency ?? null;
  const provider = { key, pivot, table: await raw.ofProvider(snapshot, key, reader) };
  const { rows, asOf } = unexpandedPinnedRows(provider, request, tomorrow);
  const shown = request.expand ? withPinnedSource(rows, key, request.base) : rows;
  return { rows: yielding(shown, reader), asOf };
}

function unexpandedPinnedRows(
  provider: PinnedProvider,
  request: RatesRequest,
  tomorrow: number,
): { rows: Iterable<DatedRows>; asOf?: number | undefined } {
  const { when } = request;
  if (when.form !== 'range') {
    const asOf = when.form === 'date' ? when.day : newestDayOf(provider, tomorrow);
    return { rows: asOf === undefined ? [] : newestPinnedRows(provider, request, asOf), asOf };
  }
  const { from, to, period } = when;
  if (from > to) return { rows: [] };
  return {
    rows:
      period === 'day'
        ? pinnedRowsBetween(provider, request, { from, to })
        : pinnedMeans(provider, request, { from, to, period }),
  };
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
