import { WINDOW_DAYS } from '../../../core/domain/blend/carry-forward.js';
import { dayNumber } from '../../../core/domain/dates.js';
import { periodsOf } from '../../../core/domain/periods.js';
import { providers as allProviders } from '../../../core/domain/providers.js';
import {
  newestDayOf,
  newestPinnedRows,
  type PinnedProvider,
  pinnedMeans,
  pinnedRowsBetween,
  withPinnedSource,
} from '../raw/pinned.js';
import type { RawStore, RawView } from '../raw/raw-store.js';
import { type SourcesOptions, withPeriodSources, withSources } from '../raw/sources.js';
import { blendOf } from '../raw/subset-blend.js';
import { firstFrom } from '../snapshot/columns.js';
import { meansOf } from '../snapshot/means.js';
import {
  byDate,
  columnsFor,
  type DatedRows,
  type PeriodColumns,
  plainRows,
  type RequestedPlainRows,
  type RequestedRows,
  type When,
} from '../snapshot/rows.js';
import type { Snapshot } from '../snapshot/snapshot.js';
import type { RatesRequest } from './request.js';

/** Whether a request needs raw rows that are not cached: neither the newest ones nor those of one provider. */
export function needsView({ providers, expand, when }: RatesRequest): boolean {
  if (providers) return providers.length > 1;
  return expand && when.form !== 'newest';
}

/** Rows from cached raw rows: the newest rates with their sources, or one provider's own. */
export async function heldRows(
  raw: RawStore,
  snapshot: Snapshot,
  request: RatesRequest,
  tomorrow: number,
): Promise<RequestedRows> {
  const [key] = request.providers ?? [];
  if (key !== undefined) {
    const pivot = allProviders.find((provider) => provider.key === key)?.pivot_currency ?? null;
    return pinnedRows({ key, pivot, table: await raw.ofProvider(snapshot, key) }, request, tomorrow);
  }
  const plain = plainRows(snapshot, request, tomorrow);
  const asOf = plain.asOf ?? tomorrow;
  const recent = await raw.since(snapshot, asOf - 3 * WINDOW_DAYS);
  const blends = () => recent.blends(asOf - 2 * WINDOW_DAYS, asOf);
  return expanded(plain, snapshot, request, async () => recent.table, blends);
}

/** Rows read from a view of the database at the version of the snapshot: see needsView. */
export async function viewedRows(
  view: RawView,
  snapshot: Snapshot,
  request: RatesRequest,
  tomorrow: number,
): Promise<RequestedRows> {
  const { providers, when, expand, quotes, base } = request;
  if (!providers) {
    const currencies = quotes && { currencies: [...quotes, base] };
    const plain = plainRows(snapshot, request, tomorrow);
    return expanded(plain, snapshot, request, (from, to) => view.read({ from, to, ...currencies }));
  }
  const span = await view.span(providers, when.form === 'newest' ? tomorrow : LAST_DAY);
  if (!span) return { rows: [], estimate: 0 };
  const columnsByPeriod = await blendedForms(view, providers, when, span);
  const plain = plainRows(columnsByPeriod, request, tomorrow);
  if (!expand) return plain;
  return expanded(plain, columnsByPeriod, request, (from, to) => view.read({ from, to, providers }));
}

const LAST_DAY = dayNumber('9999-12-31');
// A row with its sources is about this many times as long as one without.
const EXPANSION = 12;

function expanded(
  plain: RequestedPlainRows,
  columnsByPeriod: PeriodColumns,
  request: RatesRequest,
  read: SourcesOptions['read'],
  blends?: SourcesOptions['blends'],
): RequestedRows {
  const { base, providers, when } = request;
  const options: SourcesOptions = {
    base,
    columns: columnsFor(columnsByPeriod, request),
    pegged: providers === undefined,
    read,
    ...(blends && { blends }),
  };
  const dates = byDate(plain.rows);
  const rows =
    when.form === 'range' && when.period !== 'day'
      ? withPeriodSources(dates, periodsOf(when.period, when), options)
      : withSources(dates, options);
  return { ...plain, rows, estimate: plain.estimate * EXPANSION };
}

function pinnedRows(provider: PinnedProvider, request: RatesRequest, tomorrow: number): RequestedRows {
  const requested = unexpandedPinnedRows(provider, request, tomorrow);
  if (!request.expand) return requested;
  return { ...requested, rows: withPinnedSource(requested.rows, provider.key, request.base) };
}

function unexpandedPinnedRows(
  provider: PinnedProvider,
  request: RatesRequest,
  tomorrow: number,
): RequestedRows & { rows: Iterable<DatedRows> } {
  const { when } = request;
  if (when.form !== 'range') {
    const asOf = when.form === 'date' ? when.day : newestDayOf(provider, tomorrow);
    const rows = asOf === undefined ? [] : newestPinnedRows(provider, request, asOf);
    return { rows, asOf, estimate: 0 };
  }
  const { from, to, period } = when;
  if (from > to) return { rows: [], estimate: 0 };
  const { days } = provider.table;
  const estimate = firstFrom(days, to + 1) - firstFrom(days, from);
  return period === 'day'
    ? { rows: pinnedRowsBetween(provider, request, { from, to }), estimate }
    : { rows: pinnedMeans(provider, request, { from, to }, periodsOf(period, when)), estimate: estimate / 5 };
}

/** The blend of a subset that the request needs. */
async function blendedForms(
  view: RawView,
  providers: readonly string[],
  when: When,
  span: { first: number; newest: number },
): Promise<PeriodColumns> {
  const { from, to } = windowOf(when, span.newest);
  const window = { from: Math.max(from, span.first), to: Math.min(to, span.newest) };
  const days = await blendOf(view, providers, window);
  const means = (period: 'week' | 'month') =>
    when.form === 'range' && when.period === period ? meansOf(days, period, when) : days;
  return { days, weeks: means('week'), months: means('month') };
}

/** The days to blend: the requested ones, and those before them that the base may be carried from. */
function windowOf(when: When, newest: number): { from: number; to: number } {
  if (when.form === 'range') {
    const { from, to, period } = when;
    const periods = periodsOf(period, when);
    return { from: periods.firstDayOf(from) - WINDOW_DAYS, to: periods.lastDayOf(to) };
  }
  const to = when.form === 'date' ? when.day : newest;
  return { from: to - 2 * WINDOW_DAYS, to };
}
