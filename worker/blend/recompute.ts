import { replaceBlendedDays } from '../../core/database/blended-rates.js';
import type { Transaction } from '../../core/database/transactions.js';
import { blendedDay, type DollarRate } from '../../core/domain/blend/apply-pegs.js';
import { blendDollars } from '../../core/domain/blend/blend.js';
import { type CarriedRows, WINDOW_DAYS } from '../../core/domain/blend/carry-forward.js';
import { inDollars } from '../../core/domain/blend/dollar-pivot.js';
import type { Observation } from '../../core/domain/blend/evidence.js';
import {
  addDays,
  type CalendarDate,
  type DateRange,
  dayNumber,
  fromDayNumber,
  stepsOf,
  union,
} from '../../core/domain/dates.js';
import { readObservations } from './read-observations.js';

/** The number of days to read, blend and write at a time: about 150,000 raw rows of all sources. */
const STRETCH_DAYS = 91;

/** Called after each part with the number of finished days of the window. */
export type OnProgress = (done: number, total: number) => void;

export interface RecomputeOptions {
  carried: CarriedRows;
  /** Observes those rates of a day that are to be carried forward. */
  observeDay(day: number, observations: readonly Observation[]): void;
  /** Ascending windows of days that are observed but not blended again. */
  except?: readonly DateRange[];
  onProgress?: OnProgress | undefined;
}

/** Blends the days of a window again from their raw rows. Returns the range that changed. The caller holds the lock. */
export async function recompute(
  transaction: Transaction,
  window: DateRange,
  { carried, observeDay, except = [], onProgress = () => {} }: RecomputeOptions,
): Promise<DateRange | undefined> {
  const total = dayNumber(window.to) - dayNumber(window.from) + 1;
  const parts = [...stepsOf(window, STRETCH_DAYS)];
  const read = (stretch: DateRange | undefined) => {
    const reading = stretch && readObservations(transaction, stretch, carried);
    // Its failure is thrown where it is awaited. If the blend fails first, it never is, and must not be unhandled.
    reading?.catch(() => undefined);
    return reading;
  };
  let changed: DateRange | undefined;
  let reading = read(parts[0]);
  for (const [index, stretch] of parts.entries()) {
    const days = (await reading) ?? [];
    // Starts the next read, so that the database reads while this process blends.
    reading = read(parts[index + 1]);
    const fresh: DollarRate[] = [];
    for (const [day, observations] of days) {
      observeDay(day, observations);
      fresh.push(...blendedDay(fromDayNumber(day), blendDollars(inDollars(carried, day))));
    }
    // A connection runs one statement at a time.
    await reading;
    for (const part of without(stretch, except)) {
      const blends = fresh.filter(({ date }) => date >= part.from && date <= part.to);
      changed = union(changed, await replaceBlendedDays(transaction, part, blends));
    }
    onProgress(dayNumber(stretch.to) - dayNumber(window.from) + 1, total);
  }
  return changed;
}

/** A window of days without other, ascending windows. */
function* without({ from, to }: DateRange, others: readonly DateRange[]): Generator<DateRange> {
  let start = from;
  for (const other of others) {
    if (other.to < start) continue;
    if (other.from > to) break;
    if (start < other.from) yield { from: start, to: addDays(other.from, -1) };
    start = addDays(other.to, 1);
  }
  if (start <= to) yield { from: start, to };
}

/** The days whose blends can change with rows of these ascending dates: each date and the 14 days after it, merged. */
export function affectedWindows(dates: readonly CalendarDate[]): DateRange[] {
  const windows: DateRange[] = [];
  for (const date of dates) {
    const to = addDays(date, WINDOW_DAYS);
    const last = windows.at(-1);
    if (last && date <= addDays(last.to, WINDOW_DAYS)) last.to = to;
    else windows.push({ from: date, to });
  }
  return windows;
}
