import { WINDOW_DAYS } from '../../../core/domain/blend/carry-forward.js';
import { type Clock, todayNumber } from '../../../core/domain/clock.js';
import { periodsOf } from '../../../core/domain/periods.js';
import { HttpError } from '../../http/errors.js';
import { changedNewestRows, changedRows, type Shown } from '../history/differences.js';
import { byDate, type DatedRows } from '../snapshot/row.js';
import { type DateSelection, plainRows } from '../snapshot/rows.js';
import type { Snapshot } from '../snapshot/snapshot.js';
import type { RawStore, Reader } from '../sources/raw-store.js';
import { type Past, type PastDependencies, pastAt } from './past.js';
import { rawRows } from './raw-rows.js';
import { clockAt, isOfficial, isPlain, type RatesRequest } from './request.js';

/** Rates as they are known at some time. */
interface Side {
  /** Day number: rates dated later are not yet the newest ones. */
  tomorrow: number;
  /** Reads the snapshot that has what a request needs. */
  snapshotFor(request: RatesRequest): Promise<Snapshot>;
}

type Rows = AsyncIterable<DatedRows> | Iterable<DatedRows>;

/** What was known at the instant of `updated_after`; undefined where nothing was, so that all rows are new. */
export async function pastBefore(
  dependencies: PastDependencies,
  current: Snapshot,
  instant: number,
): Promise<Past | undefined> {
  try {
    return await pastAt(dependencies, current, { instant, parameter: 'updated_after' });
  } catch (error) {
    if (error instanceof HttpError && error.status === 404) return undefined;
    throw error;
  }
}

/**
 * Of the rows of a request, those that are new or differ from what was known before, and those that are gone. Both sides
 * must be of one snapshot: only days that have changed up to that of `before` are compared.
 */
export async function rowsChanged(
  { raw, clock, shown, reader }: { raw: RawStore; clock: Clock; shown: Shown; reader: Reader },
  request: RatesRequest,
  { present, before }: { present: Side; before: Past | undefined },
): Promise<Rows> {
  const { when, updatedAfter } = request;
  const rowsOf = async (side: Side, only: DateSelection | undefined): Promise<Rows> => {
    if (!only) return [];
    const asked = { ...request, when: only };
    const snapshot = await side.snapshotFor(asked);
    return rowsAt(asked, { raw, snapshot, tomorrow: side.tomorrow, reader });
  };
  const today = todayNumber(clockAt(updatedAfter?.instant, clock));
  const days = before && daysChanged(request, { before, today });
  const clipped = (one: DateSelection) => (days && one.form === 'range' ? clip(one, days) : one);
  const now = await rowsOf(present, clipped(when));
  const past = before && {
    tomorrow: today + 1,
    snapshotFor: (asked: RatesRequest) => before.snapshotFor(asked, reader),
  };
  const then = past ? await rowsOf(past, clipped(updatedAfter?.when ?? when)) : [];
  return when.form === 'range' ? changedRows(now, then, shown) : changedNewestRows(now, then, shown);
}

async function rowsAt(
  request: RatesRequest,
  {
    raw,
    snapshot,
    tomorrow,
    reader,
  }: { raw: RawStore; snapshot: Snapshot; tomorrow: number; reader: Reader },
): Promise<Rows> {
  if (!isPlain(request)) return (await rawRows({ raw, snapshot, request, tomorrow, reader })).rows;
  return byDate(plainRows(snapshot, request, tomorrow).rows);
}

type Range = Extract<DateSelection, { form: 'range' }>;

/** Day numbers, both included. */
interface Days {
  from: number;
  to: number;
}

/**
 * The days on which rows of a range can have changed: those of changed rates and blends, those to which these are carried,
 * and those that had not come yet. Undefined where all must be compared.
 */
function daysChanged(
  request: RatesRequest,
  { before, today }: { before: Past; today: number },
): Days | undefined {
  const { when, providers } = request;
  if (when.form !== 'range' || when.period === 'range' || isOfficial(request)) return undefined;
  const { changedSince } = before.known;
  // What one bank publishes of a pair for the first time may change how its earlier rates are crossed.
  if (providers?.length === 1 && changedSince.length > 0) return undefined;
  // A rate is carried into blends and over bridges, and what comes of that is carried again as the base.
  const carried = 2 * WINDOW_DAYS + (when.fillDays ?? 0);
  // Days that had not come yet were not asked for by a range without an end.
  return {
    from: Math.min(changedSince[0]?.from ?? Number.POSITIVE_INFINITY, today + 1),
    to: when.to > today ? when.to : (changedSince.at(-1)?.to ?? Number.NEGATIVE_INFINITY) + carried,
  };
}

/** A range as far as its periods have any of the days, with all days of these periods. Undefined where none has. */
function clip(when: Range, days: Days): Range | undefined {
  const { firstDayOf, lastDayOf } = periodsOf(when.period, when);
  const from = Math.max(firstDayOf(when.from), days.from);
  const to = Math.min(lastDayOf(when.to), days.to);
  if (from > to) return undefined;
  return { ...when, from: Math.max(when.from, firstDayOf(from)), to: Math.min(when.to, lastDayOf(to)) };
}
