import { type Columns, lastDayUpTo } from '../../../core/columns/columns.js';
import { WINDOW_DAYS } from '../../../core/domain/blend/carry-forward.js';
import { periodsOf } from '../../../core/domain/dates.js';
import { onOrBefore } from '../../../core/domain/day-pick.js';
import type { PastSnapshots } from '../history/past-snapshots.js';
import type { KnownVersion } from '../history/versions.js';
import { meanRows, withStats } from '../snapshot/period-rows.js';
import { mapRows, type OwnPairs, type PlainRows, type RateRows } from '../snapshot/row.js';
import { daysNeeded, pegsOn, plainRows, type RowsRequest, withCarried } from '../snapshot/rows.js';
import type { Snapshot } from '../snapshot/snapshot.js';
import { type OfficialRates, officialRowsBetween, pickedOfficialRows } from '../sources/official.js';
import type { ProviderRates } from '../sources/provider-rates.js';
import type { Reader } from '../sources/raw-reads.js';
import { blendSources, ownSource, withSides, withSources } from '../sources/row-sources.js';
import { sharesOf } from '../sources/shares.js';
import { type RawContext, rowsFromRaw, subsetOn } from './raw-blends.js';
import { needsSources, type ResolvedRequest } from './request.js';

/** The rates of all, some or one provider, known now or in the past. Methods throw the errors of the raw store. */
export interface RateSource {
  rows(request: ResolvedRequest, reader: Reader): Promise<RateRows>;
  ratesOn(days: LookUpDays, reader: Reader): Promise<KnownRates>;
}

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

export interface SourceContext extends Omit<RawContext, 'reader'> {
  /** Set for an instant in the past. The snapshot of an older version has no days of its own. */
  past?: { known: KnownVersion; snapshots: PastSnapshots } | undefined;
}

/** Selects the source of the rates of some providers, or of the blend of all. No other code makes this choice. */
export function sourceOn(
  context: SourceContext,
  providers: readonly string[] | undefined,
  side?: ResolvedRequest['side'],
): RateSource {
  const [only, ...others] = providers ?? [];
  if (!providers || only === undefined) return blendSource(context);
  return others.length === 0 ? providerSource(context, only, side) : subsetSource(context, providers);
}

/** The newest day with rates of any provider, up to tomorrow. */
export async function newestDayOf({ snapshot, tomorrow, past }: SourceContext, reader: Reader) {
  if (!snapshot.past || !past) return lastDayUpTo(snapshot.days.days, tomorrow);
  return past.snapshots.newestDay(past.known, tomorrow, reader);
}

/** The blend of all providers, with pegs applied: from a snapshot, or from raw rows if the request expands sources. */
function blendSource(context: SourceContext): RateSource {
  const { raw, snapshot, tomorrow, past } = context;

  /** Loads the days of a past version. */
  async function snapshotWith(selected: Parameters<PastSnapshots['of']>[2] | undefined, reader: Reader) {
    return snapshot.past && past && selected ? past.snapshots.of(past.known, reader, selected) : snapshot;
  }

  async function rowsIn(snapshot: Snapshot, request: ResolvedRequest, reader: Reader): Promise<RateRows> {
    if (!needsSources(request.expand)) return plainRows(snapshot, request, tomorrow);
    if (request.when.form !== 'newest' || snapshot.past)
      return rowsFromRaw({ ...context, snapshot, request, reader });
    const { days } = snapshot;
    const asOf = lastDayUpTo(days.days, tomorrow) ?? tomorrow;
    const shares = await raw.newestShares(snapshot, asOf, reader);
    const sources = blendSources((day, quote) => sharesOf(shares, day, quote), days, request);
    return mapRows(plainRows(snapshot, request, tomorrow), withSources(sources, request, asOf));
  }

  return {
    async rows(request, reader) {
      // From memory: each promise would show in the time of the request.
      if (!snapshot.past && !needsSources(request.expand)) return plainRows(snapshot, request, tomorrow);
      const { base, quotes, when } = request;
      const newest = await newestDayOf(context, reader);
      const days = daysNeeded(when, newest);
      // The row of the base depends on all currencies.
      const currencies = quotes?.includes(base) ? undefined : quotes && [...quotes, base];
      const loaded = await snapshotWith(days && { days, currencies }, reader);
      return { ...(await rowsIn(loaded, request, reader)), newest };
    },
    async ratesOn({ from, to, currencies }, reader) {
      const last = to ?? (await newestDayOf(context, reader)) ?? from;
      const first = Math.min(from ?? Number.POSITIVE_INFINITY, (last ?? 0) - WINDOW_DAYS);
      const days = last === undefined ? undefined : withCarried({ from: first, to: last });
      const loaded = await snapshotWith(days && { days, currencies }, reader);
      return {
        snapshot: loaded,
        days: loaded.days.days,
        columnsFor: () => loaded.days,
        ownFor: (base) => pegsOn(base, loaded.days.days),
        // This includes the newest version: its response must stay the same when a newer one comes.
        isPartial: past !== undefined,
      };
    },
  };
}

/** The blend of some providers, without pegs. It is computed from raw rows for each request. */
function subsetSource(context: SourceContext, providers: readonly string[]): RateSource {
  const { raw, snapshot, tomorrow } = context;
  return {
    rows: (request, reader) => rowsFromRaw({ ...context, request, reader }),
    /** The blend of the days that rows need; `days` has only the newest one on which any of the providers published. */
    async ratesOn(days, reader) {
      const known = await raw.span(snapshot, providers, tomorrow, reader);
      const newest = known?.newest ?? tomorrow;
      const to = Math.min(days.to ?? tomorrow, newest);
      const asked = withCarried({ from: Math.min(days.from ?? to, to - WINDOW_DAYS), to });
      const window = { from: Math.max(asked.from, known?.first ?? tomorrow), to: Math.min(asked.to, newest) };
      const columns = await subsetOn({ ...context, reader }, providers, window);
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

/** One provider's own rates, crossed within its own data, or one side of them: no blend, no pegs. */
function providerSource(
  { raw, snapshot, tomorrow }: SourceContext,
  key: string,
  side: ResolvedRequest['side'],
): RateSource {
  const ratesOf = (reader: Reader, of = side) => raw.ofProvider(snapshot, key, reader, of);
  return {
    async rows(request, reader) {
      const { expand } = request;
      const rates = await ratesOf(reader);
      let found: RateRows = rates.official
        ? officialRows(rates.official, request, tomorrow)
        : providerRows(rates, request, tomorrow);
      // The estimate is dropped, as rows with details are much longer than it assumes.
      const detailed = (change: Parameters<typeof mapRows>[1]) => ({
        ...mapRows(found, change),
        estimate: undefined,
      });
      if (needsSources(expand)) found = detailed(withSources(ownSource(key), request, found.newest));
      if (!expand.includes('sides')) return found;
      const sides = { buy: await ratesOf(reader, 'buy'), sell: await ratesOf(reader, 'sell') };
      return detailed(withSides(sides, request));
    },
    ratesOn: async (_days, reader) => ({
      ...(await ratesOf(reader)),
      snapshot,
      none: side && `${key} publishes no ${side}ing rate of this pair`,
    }),
  };
}
/** With `group`, rows are means of its own rows. Rates dated from `tomorrow` (day number) are not the newest yet. */
export function providerRows(
  rates: ProviderRates,
  request: RowsRequest,
  tomorrow: number,
): RateRows<PlainRows> {
  const { base, when } = request;
  const columns = { days: rates.columnsFor(base), allDays: rates.days };
  const daily = (when: RowsRequest['when']) => {
    const plain = plainRows(columns, { own: rates.ownFor(base), ...request, when }, tomorrow);
    return { ...plain, rows: rates.markSuspects(plain.rows, base) };
  };
  if (when.form !== 'range' || when.period === 'day') return daily(when);
  const periods = periodsOf(when.period, when);
  const whole = { from: periods.firstDayOf(when.from), to: periods.lastDayOf(when.to) };
  const { rows, estimate } = daily({ ...when, ...whole, period: 'day' });
  const means = meanRows(rows, periods);
  if (!when.stats) return { rows: means, estimate };
  return { rows: withStats(means, daily({ ...when, period: 'day' }).rows, when), estimate };
}

/** The official rates for the picked day, for today by default, or for the days of a range. */
function officialRows(rates: OfficialRates, request: ResolvedRequest, tomorrow: number): RateRows {
  const { when } = request;
  if (when.form === 'range') return { rows: officialRowsBetween(rates, request, when) };
  const picked = when.form === 'date' ? when : onOrBefore(tomorrow - 1);
  const newest = rates.table.days.length > 0 ? picked.day : undefined;
  return { rows: pickedOfficialRows(rates, request, picked), newest };
}
