import { WINDOW_DAYS } from '../../../core/domain/blend/carry-forward.js';
import { type DayWindow, periodsOf } from '../../../core/domain/periods.js';
import { HttpError } from '../../http/errors.js';
import { changedNewestRows, changedRows, type Shown } from '../history/differences.js';
import { type Dates, datesOf } from '../snapshot/row.js';
import type { DateSelection, Range } from '../snapshot/rows.js';
import { rowsOf } from './rate-source.js';
import {
  type RatesContext,
  type RatesView,
  type RatesViewDependencies,
  versionAt,
  viewOf,
} from './rates-view.js';
import { isOfficial, type ResolvedRequest } from './request.js';

/** Returns rows that are new, changed or removed since `updated_after`. Compares only days that have changed. */
export async function changedRowsOf(
  context: RatesContext,
  request: ResolvedRequest,
  { view, shown }: { view: RatesView; shown: Shown },
): Promise<Dates> {
  const { when, updatedAfter } = request;
  const before = updatedAfter && (await viewBefore(context, view, updatedAfter.instant));
  const datesIn = async (known: RatesView, only: DateSelection | undefined): Promise<Dates> => {
    if (!only) return [];
    return datesOf((await rowsOf(known, { ...request, when: only }, context)).rows);
  };
  const days = before && daysChanged(request, before);
  const clipped = (one: DateSelection) => (days && one.form === 'range' ? clip(one, days) : one);
  const now = await datesIn(view, clipped(when));
  const then = before ? await datesIn(before, clipped(updatedAfter?.when ?? when)) : [];
  return when.form === 'range' ? changedRows(now, then, shown) : changedNewestRows(now, then, shown);
}

/** The view at the instant of `updated_after`; undefined if there was none, so that all rows are new. */
async function viewBefore(dependencies: RatesViewDependencies, { current }: RatesView, instant: number) {
  try {
    const asked = { instant, parameter: 'updated_after' };
    return await viewOf(dependencies, current, await versionAt(dependencies, current, asked));
  } catch (error) {
    if (error instanceof HttpError && error.status === 404) return undefined;
    throw error;
  }
}

/** The days on which rows can have changed, also by carrying rates. Undefined if all days must be compared. */
function daysChanged({ when, providers }: ResolvedRequest, { changedSince, today }: RatesView) {
  if (when.form !== 'range' || when.period === 'range' || isOfficial({ providers })) return undefined;
  // A bank that publishes a pair for the first time may change how its earlier rates are crossed.
  if (providers?.length === 1 && changedSince.length > 0) return undefined;
  // A rate is carried into blends, bridges and pairs, and decides which earlier days of a pair have a row.
  const carried = 2 * WINDOW_DAYS + (when.fillDays ?? 0);
  // A range without an end did not include days that were in the future.
  return {
    from: Math.min(changedSince[0]?.from ?? Number.POSITIVE_INFINITY, today + 1) - WINDOW_DAYS,
    to: when.to > today ? when.to : (changedSince.at(-1)?.to ?? Number.NEGATIVE_INFINITY) + carried,
  };
}

/** Clips a range to the periods that contain any of the days, with all days of these periods. Undefined if none does. */
function clip(when: Range, days: DayWindow): Range | undefined {
  const { firstDayOf, lastDayOf } = periodsOf(when.period, when);
  const from = Math.max(firstDayOf(when.from), days.from);
  const to = Math.min(lastDayOf(when.to), days.to);
  if (from > to) return undefined;
  return { ...when, from: Math.max(when.from, firstDayOf(from)), to: Math.min(when.to, lastDayOf(to)) };
}
