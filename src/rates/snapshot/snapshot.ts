import {
  type Columns,
  columnsOf,
  type NamedSeries,
  receivedColumns,
  replaceWindow,
} from '../../../core/columns/columns.js';
import { type BlendedPeriods, blendedPeriods, meansOf } from '../../../core/columns/means.js';
import { readBlendedSeries } from '../../../core/database/bulk/read-series.js';
import { readHubs } from '../../../core/database/coverage.js';
import {
  type DataVersion,
  newestVersion,
  newestVersionsByMonth,
  versionsFrom,
} from '../../../core/database/data-versions.js';
import { readLoadedFrom } from '../../../core/database/shipped-rates.js';
import type { Transaction } from '../../../core/database/transactions.js';
import {
  type CalendarDate,
  type DayWindow,
  dayNumber,
  firstDayOf,
  lastDayOf,
} from '../../../core/domain/dates.js';
import { type LastChanges, withChanges } from './last-changes.js';
import { type HashedMonth, hashMonths } from './month-hashes.js';
import type { PeriodColumns } from './rows.js';

/** Blended rates at one data version, base USD. Immutable: a new version is a new snapshot. */
export interface Snapshot extends PeriodColumns {
  /** The name of the data in entity tags: equal in all processes that read the same version of the same database. */
  readonly version: string;
  /** The hash of the manifest: a republished version may leave out other sources, or describe them differently. */
  readonly manifest?: string;
  /** Its row in `data_versions`; 0 if there is none yet. */
  readonly dataVersion: bigint;
  readonly lastChanges?: LastChanges;
  /** The instant of this version, in milliseconds since 1970; 0 if there is none yet. */
  readonly knownAt: number;
  /** The first day with all rates, while older shipped rates are still to be loaded. */
  readonly loadedFrom?: CalendarDate | undefined;
  /** Set for a past version, which has only the days that a request needs. Raw rows are read as known then. */
  readonly past?: {
    /** Returns the name of the last change of a provider's rates, or those of several, up to this version; else empty. */
    lastChangeOf(provider: string): string;
  };
}

/** Blended days with the means of their weeks and months, and the hashes of the rates of the days. */
export interface Blends extends BlendedPeriods {
  /** Of all months with rates, in order. */
  readonly hashes: readonly HashedMonth[];
}

export type WholeSnapshot = Snapshot & Blends;

/** Changes blends of the days from `from` to `to` (day numbers), at an instant in milliseconds since 1970. */
export type DataChange = Readonly<ReturnType<typeof toChange>>;

/** A snapshot from a thread or a local copy: see `receivedColumns`. */
export function receivedSnapshot(snapshot: WholeSnapshot): WholeSnapshot {
  return { ...snapshot, ...receivedBlends(snapshot) };
}

/** Reading more takes longer than a request may wait. */
const MOST_DAYS_AT_ONCE = 1_000;
// Windows closer than this are read as one: reading the gap costs less than another query.
const GAP_DAYS = 40;

/** The snapshot of the blends after a change, or without any. */
export function snapshotAfter(
  change: Pick<DataChange, 'version' | 'name' | 'at'> | undefined,
  blends: Blends,
): WholeSnapshot {
  const { name: version = '0', version: dataVersion = 0n, at: knownAt = 0 } = change ?? {};
  return { ...blends, version, dataVersion, knownAt };
}

export async function loadSnapshot(view: Transaction): Promise<WholeSnapshot> {
  const newest = await newestVersion(view);
  const blends = replaceBlends(await readBlendedSeries(view));
  const lastVersions = (await newestVersionsByMonth(view)).map(toChange);
  return {
    ...snapshotAfter(newest && toChange(newest), blends),
    lastChanges: withChanges(new Map(), lastVersions, await readHubs(view)),
    loadedFrom: await readLoadedFrom(view),
  };
}

/**
 * Returns the same snapshot without changes. Reads all if the database does not continue it, as after a restore. `refreshMany`
 * does the work if there are many days to read.
 */
export async function refreshSnapshot(
  view: Transaction,
  current: WholeSnapshot,
  refreshMany?: (current: WholeSnapshot) => Promise<WholeSnapshot>,
): Promise<WholeSnapshot> {
  const known = (await versionsFrom(view, current.dataVersion)).map(toChange);
  if (current.dataVersion === 0n ? known.length > 0 : known[0]?.name !== current.version)
    return refreshMany ? refreshMany(current) : loadSnapshot(view);
  const changes = known.slice(1);
  const windows = mergeWindows(changes);
  if (refreshMany && windows.some(({ from, to }) => to - from >= MOST_DAYS_AT_ONCE))
    return refreshMany(current);
  const loadedFrom = current.loadedFrom && (await readLoadedFrom(view));
  if (changes.length === 0) return loadedFrom === current.loadedFrom ? current : { ...current, loadedFrom };
  const { lastChanges, days, weeks, months, hashes } = current;
  let blends: Blends = { days, weeks, months, hashes };
  for (const window of windows)
    blends = replaceBlends(await readBlendedSeries(view, window), { old: blends, window });
  return {
    ...snapshotAfter(changes.at(-1), blends),
    ...(lastChanges && { lastChanges: withChanges(lastChanges.months, changes, await readHubs(view)) }),
    loadedFrom,
  };
}

/** Returns the name of a data version. Its instant distinguishes databases with the same version numbers. */
export function nameOfVersion(version: bigint, instant: number): string {
  return `${version}.${instant.toString(36)}`;
}

export function toChange(row: Omit<DataVersion, 'method' | 'excepted'>) {
  const { version, provider, createdAt: at } = row;
  const name = nameOfVersion(version, at);
  return { version, name, from: dayNumber(row.from), to: dayNumber(row.to), provider, at };
}

/** Merges windows into as few disjoint ones as possible, in order. Day numbers, both ends included. */
export function mergeWindows(changes: readonly DayWindow[]): DayWindow[] {
  const merged: { from: number; to: number }[] = [];
  for (const { from, to } of [...changes].sort((one, other) => one.from - other.from)) {
    const last = merged.at(-1);
    if (last && from <= last.to + GAP_DAYS) last.to = Math.max(last.to, to);
    else merged.push({ from, to });
  }
  return merged;
}

/** Takes the series of the days to replace in older blends, or those of all days. */
function replaceBlends(
  series: readonly NamedSeries[],
  replaced?: { old: Blends; window: DayWindow },
): Blends {
  const read = columnsOf(series);
  if (!replaced) return blendsOf(read);
  const { old, window } = replaced;
  const days = replaceWindow(old.days, read, window.from, window.to);
  const withMeans = (period: 'week' | 'month', means: Columns) => {
    const [from, to] = [firstDayOf(period, window.from), lastDayOf(period, window.to)];
    return replaceWindow(means, meansOf(days, period, { from, to }), from, to);
  };
  return {
    days,
    weeks: withMeans('week', old.weeks),
    months: withMeans('month', old.months),
    hashes: hashMonths(days, old.hashes, window),
  };
}

export function blendsOf(blended: Columns): Blends {
  return { ...blendedPeriods(blended), hashes: hashMonths(blended) };
}

export function receivedBlends({ days, weeks, months, hashes }: Blends): Blends {
  const received = receivedColumns;
  return { days: received(days), weeks: received(weeks), months: received(months), hashes };
}
