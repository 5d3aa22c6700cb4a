import { WINDOW_DAYS } from '../../../core/domain/blend/carry-forward.js';
import { dayNumber } from '../../../core/domain/dates.js';
import { periodsOf } from '../../../core/domain/periods.js';
import type { ProviderRates } from '../raw/provider-rates.js';
import { providerRows, providerRowsWithStats, withOwnSource } from '../raw/provider-rows.js';
import type { RawStore, RawView } from '../raw/raw-store.js';
import { type SourcesOptions, withPeriodSources, withSources } from '../raw/sources.js';
import { blendOf } from '../raw/subset-blend.js';
import { meansOf } from '../snapshot/means.js';
import {
  byDate,
  columnsFor,
  type PeriodColumns,
  plainRows,
  type RequestedPlainRows,
  type RequestedRows,
  type When,
} from '../snapshot/rows.js';
import type { Snapshot } from '../snapshot/snapshot.js';
import { needsSources, type RatesRequest, statsOf } from './request.js';

/** Whether a request needs raw rows that are not cached: neither the newest ones nor those of one provider. */
export function needsView({ providers, expand, when }: RatesRequest): boolean {
  if (providers) return providers.length > 1;
  return needsSources(expand) && when.form !== 'newest';
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
    return ownRows(await raw.ofProvider(snapshot, key), key, request, tomorrow);
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
  if (!needsSources(expand)) return plain;
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

/** One provider's own rows; its rates are at hand. */
function ownRows(rates: ProviderRates, key: string, request: RatesRequest, tomorrow: number): RequestedRows {
  const plain = providerRows(rates, request, tomorrow);
  const stats = statsOf(request);
  if (!stats && !request.expand.includes('providers')) return plain;
  const dated = stats ? providerRowsWithStats(rates, request, { tomorrow, stats }) : byDate(plain.rows);
  const rows = request.expand.includes('providers') ? withOwnSource(dated, key, request.base) : dated;
  return { ...plain, rows };
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
