import {
  type Columns,
  columnsOf,
  type PackedColumns,
  packColumns,
  replaceWindow,
  unpackColumns,
} from '../../../core/columns/columns.js';
import { blendedPeriods, meansOf } from '../../../core/columns/means.js';
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
import { type CalendarDate, dayNumber } from '../../../core/domain/dates.js';
import { type DayWindow, firstDayOf, lastDayOf } from '../../../core/domain/periods.js';
import { type LastChanges, withChanges } from './last-changes.js';
import { hashMonths } from './month-hashes.js';
import type { PeriodColumns } from './rows.js';

/** Blended rates at one data version, base USD. Immutable: a new version is a new snapshot. */
export interface Snapshot extends PeriodColumns {
  /** The name of the data in entity tags: equal in all processes that read the same version of the same database. */
  readonly version: string;
  /** The hash of the manifest: a republished version may leave out other sources, or describe them differently. */
  readonly manifest?: string;
  /** Its row in `data_versions`; 0 if there is none yet. */
  readonly dataVersion: bigint;
  /** The known changes up to this version, oldest first. */
  readonly changes: readonly DataChange[];
  readonly lastChanges?: LastChanges;
  /** The instant of this version, in milliseconds since 1970; 0 if there is none yet. */
  readonly knownAt: number;
  /** The first day with all rates, while older shipped rates are still to be loaded. */
  readonly loadedFrom?: CalendarDate | undefined;
  /** Set for a past version, which has only the days that a request needs. Raw rows are read as known then. */
  readonly past?: {
    /** Returns the name of the last change of a provider's rates up to this version. */
    lastChangeOf(provider: string): string;
  };
}

export type WholeSnapshot = Snapshot & Required<PeriodColumns>;

export interface DataChange {
  readonly version: bigint;
  readonly name: string;
  /** Day numbers of the first and last blended day that changed. */
  readonly from: number;
  readonly to: number;
  /** The provider whose rows caused it; null if there were several. */
  readonly provider: string | null;
  /** Its instant, in milliseconds since 1970. */
  readonly at: number;
}

export type PackedSnapshot = Omit<Snapshot, keyof PeriodColumns> & Record<keyof PeriodColumns, PackedColumns>;

export function packSnapshot({ days, weeks, months, ...rest }: WholeSnapshot): PackedSnapshot {
  return { ...rest, days: packColumns(days), weeks: packColumns(weeks), months: packColumns(months) };
}

export function unpackSnapshot({ days, weeks, months, ...rest }: PackedSnapshot): WholeSnapshot {
  return { ...rest, days: unpackColumns(days), weeks: unpackColumns(weeks), months: unpackColumns(months) };
}

const CHANGES_KEPT = 500;
// Windows closer than this are read as one: reading the gap costs less than another query.
const GAP_DAYS = 40;

/** The snapshot of the columns after the last of some changes, which are known oldest first. */
export function snapshotAfter(
  changes: readonly DataChange[],
  columns: Required<PeriodColumns>,
): WholeSnapshot {
  const newest = changes.at(-1);
  return {
    ...columns,
    version: newest?.name ?? '0',
    dataVersion: newest?.version ?? 0n,
    changes,
    knownAt: newest?.at ?? 0,
  };
}

export async function loadSnapshot(view: Transaction): Promise<WholeSnapshot> {
  const newest = await newestVersion(view);
  const { day: days, week: weeks, month: months } = blendedPeriods(columnsOf(await readBlendedSeries(view)));
  hashMonths(days);
  const lastVersions = (await newestVersionsByMonth(view)).map(toChange);
  return {
    ...snapshotAfter(newest ? [toChange(newest)] : [], { days, weeks, months }),
    lastChanges: withChanges(new Map(), lastVersions, await readHubs(view)),
    loadedFrom: await readLoadedFrom(view),
  };
}

/** Returns the same snapshot without changes. Reads all if the database does not continue it, as after a restore. */
export async function refreshSnapshot(view: Transaction, current: WholeSnapshot): Promise<WholeSnapshot> {
  const known = (await versionsFrom(view, current.dataVersion)).map(toChange);
  if (current.dataVersion === 0n ? known.length > 0 : known[0]?.name !== current.version)
    return loadSnapshot(view);
  const changes = known.slice(1);
  const loadedFrom = current.loadedFrom && (await readLoadedFrom(view));
  if (changes.length === 0) return loadedFrom === current.loadedFrom ? current : { ...current, loadedFrom };
  let { days, weeks, months } = current;
  for (const window of mergeWindows(changes)) {
    const read = columnsOf(await readBlendedSeries(view, window));
    const replaced = replaceWindow(days, read, window.from, window.to);
    hashMonths(replaced, { columns: days, ...window });
    days = replaced;
    weeks = withMeansOf(days, 'week', weeks, window);
    months = withMeansOf(days, 'month', months, window);
  }
  const { lastChanges } = current;
  const kept = [...current.changes, ...changes].slice(-CHANGES_KEPT);
  return {
    ...snapshotAfter(kept, { days, weeks, months }),
    ...(lastChanges && { lastChanges: withChanges(lastChanges.months, changes, await readHubs(view)) }),
    loadedFrom,
  };
}

/** Returns the name of a data version. Its instant distinguishes databases with the same version numbers. */
export function nameOfVersion(version: bigint, instant: number): string {
  return `${version}.${instant.toString(36)}`;
}

export function toChange(row: Omit<DataVersion, 'method' | 'excepted'>): DataChange {
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

/** Replaces the means of the periods that contain changed days. */
function withMeansOf(days: Columns, period: 'week' | 'month', means: Columns, window: DayWindow): Columns {
  const [from, to] = [firstDayOf(period, window.from), lastDayOf(period, window.to)];
  return replaceWindow(means, meansOf(days, period, { from, to }), from, to);
}
