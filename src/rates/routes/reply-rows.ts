import { WINDOW_DAYS } from '../../../core/domain/blend/carry-forward.js';
import { dayNumber } from '../../../core/domain/dates.js';
import { firstDayOf, lastDayOf } from '../../../core/domain/periods.js';
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
import { type Columns, firstFrom, lastUpTo } from '../snapshot/columns.js';
import { meansOf } from '../snapshot/means.js';
import { columnsForBase } from '../snapshot/pegged-base.js';
import {
  byDate,
  type DatedRows,
  NO_ROWS,
  newestRows,
  type PlainRows,
  rowsBetween,
} from '../snapshot/rows.js';
import type { Snapshot } from '../snapshot/snapshot.js';
import type { RatesRequest, When } from './request.js';

/** The rows that answer a request, in order. */
export interface RowsAnswer {
  rows: PlainRows | Iterable<DatedRows> | AsyncIterable<DatedRows>;
  /** About how many rows there are, to tell a body that fits in memory from one that doesn't. */
  estimate: number;
  /** The day up to which the newest rates were looked for; undefined for a range and where there is no data. */
  asOf?: number | undefined;
}

/** Blended rates without their sources. */
export type PlainAnswer = RowsAnswer & { rows: PlainRows };

interface Dependencies {
  raw: RawStore;
  /** Tomorrow in UTC, as a day number: newer rows don't count as newest yet. */
  tomorrow: number;
}

/** The answer where the snapshot alone has it; undefined where raw rows are needed, see withRows. */
export function plainAnswer(
  snapshot: Snapshot,
  request: RatesRequest,
  tomorrow: number,
): PlainAnswer | undefined {
  return request.providers || request.expand ? undefined : fromColumns(snapshot, request, tomorrow);
}

/**
 * Hands the rows that a request of sources or of some providers asks for to `use`, all of them at the version of the
 * snapshot, and gives back what it returns. Throws as RawStore does.
 */
export async function withRows<T>(
  { raw, tomorrow }: Dependencies,
  snapshot: Snapshot,
  request: RatesRequest,
  use: (answer: RowsAnswer) => Promise<T>,
): Promise<T> {
  const { providers, expand, when } = request;
  if (!providers) {
    const plain = fromColumns(snapshot, request, tomorrow);
    if (when.form === 'newest') {
      const asOf = plain.asOf ?? tomorrow;
      const recent = await raw.since(snapshot, asOf - 3 * WINDOW_DAYS);
      const blends = () => recent.blends(asOf - 2 * WINDOW_DAYS, asOf);
      return use(expanded(plain, snapshot, request, async () => recent.table, blends));
    }
    const currencies = request.quotes && { currencies: [...request.quotes, request.base] };
    return raw.inView(snapshot, ({ read }) =>
      use(expanded(plain, snapshot, request, (from, to) => read({ from, to, ...currencies }))),
    );
  }
  const [key, ...others] = providers;
  if (key !== undefined && others.length === 0) {
    const pivot = allProviders.find((provider) => provider.key === key)?.pivot_currency ?? null;
    return use(fromPinned({ key, pivot, table: await raw.ofProvider(snapshot, key) }, request, tomorrow));
  }
  return raw.inView(snapshot, async (view) => {
    const span = await view.span(providers, when.form === 'newest' ? tomorrow : LAST_DAY);
    if (!span) return use({ rows: [], estimate: 0 });
    const forms = await blendedForms(view, providers, when, span);
    const plain = fromColumns(forms, request, tomorrow);
    if (!expand) return use(plain);
    return use(expanded(plain, forms, request, (from, to) => view.read({ from, to, providers })));
  });
}

/** Blended rates by day, week and month: a snapshot, or the like of it for some providers. */
type Forms = Pick<Snapshot, 'days' | 'weeks' | 'months'>;

function fromColumns(forms: Forms, request: RatesRequest, tomorrow: number): PlainAnswer {
  const { when } = request;
  const columns = columnsFor(forms, request);
  if (when.form !== 'range') {
    const asOf = when.form === 'date' ? when.day : columns.days[lastUpTo(columns.days, tomorrow)];
    const rows = asOf === undefined ? NO_ROWS : newestRows(columns, request, asOf);
    return { rows, asOf, estimate: request.quotes?.length ?? columns.quotes.length };
  }
  const { from, to, period } = when;
  if (from > to) return { rows: NO_ROWS, estimate: 0 };
  const first = firstDayOf(period, from);
  const count = firstFrom(columns.days, to + 1) - firstFrom(columns.days, first);
  return {
    rows: rowsBetween(columns, request, { from: first, to, carry: period === 'day' }),
    estimate: count * (request.quotes?.length ?? columns.quotes.length),
  };
}

function columnsFor(forms: Forms, { base, providers, when }: RatesRequest): Columns {
  if (when.form !== 'range' || when.period === 'day') {
    return providers ? forms.days : columnsForBase(forms.days, base);
  }
  return when.period === 'week' ? forms.weeks : forms.months;
}

const LAST_DAY = dayNumber('9999-12-31');
// A row with its sources is about this many times as long as one without.
const EXPANSION = 12;

function expanded(
  answer: PlainAnswer,
  forms: Forms,
  request: RatesRequest,
  read: SourcesOptions['read'],
  blends?: SourcesOptions['blends'],
): RowsAnswer {
  const { base, providers, when } = request;
  const plain = { base, columns: columnsFor(forms, request), pegged: providers === undefined, read };
  const options = blends ? { ...plain, blends } : plain;
  const dates = byDate(answer.rows);
  const rows =
    when.form === 'range' && when.period !== 'day'
      ? withPeriodSources(dates, when.period, options)
      : withSources(dates, options);
  return { ...answer, rows, estimate: answer.estimate * EXPANSION };
}

function fromPinned(provider: PinnedProvider, request: RatesRequest, tomorrow: number): RowsAnswer {
  const { when } = request;
  const answer = ((): RowsAnswer & { rows: Iterable<DatedRows> } => {
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
      : { rows: pinnedMeans(provider, request, { from, to, period }), estimate: estimate / 5 };
  })();
  return request.expand
    ? { ...answer, rows: withPinnedSource(answer.rows, provider.key, request.base) }
    : answer;
}

/** What the request needs of the blend of some providers. */
async function blendedForms(
  view: RawView,
  providers: readonly string[],
  when: When,
  span: { first: number; newest: number },
): Promise<Forms> {
  const { from, to } = windowOf(when, span.newest);
  const window = { from: Math.max(from, span.first), to: Math.min(to, span.newest) };
  const days = await blendOf(view, providers, window);
  const means = (period: 'week' | 'month') =>
    when.form === 'range' && when.period === period ? meansOf(days, period) : days;
  return { days, weeks: means('week'), months: means('month') };
}

/** The days to blend: those that are asked for, and before them what the base may be carried from. */
function windowOf(when: When, newest: number): { from: number; to: number } {
  if (when.form === 'range') {
    const { from, to, period } = when;
    return { from: firstDayOf(period, from) - WINDOW_DAYS, to: lastDayOf(period, to) };
  }
  const to = when.form === 'date' ? when.day : newest;
  return { from: to - 2 * WINDOW_DAYS, to };
}
