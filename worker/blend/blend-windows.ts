import { newestDayOfRates } from '../../core/database/coverage.js';
import { type JudgedSuspect, readLeftOut } from '../../core/database/suspects.js';
import type { Transaction } from '../../core/database/transactions.js';
import { createCarriedRows, WINDOW_DAYS } from '../../core/domain/blend/carry-forward.js';
import { addDays, type CalendarDate, type DateRange, dayNumber, union } from '../../core/domain/dates.js';
import { type Changes, type JudgeWindowOptions, judgeWindow } from './judge-window.js';
import { createObserver, readObservations } from './read-observations.js';
import { affectedWindows, recompute } from './recompute.js';

/** Judges and blends ascending windows, then the later days that depend on them. The caller holds the lock. */
export async function blendWindows(
  transaction: Transaction,
  windows: readonly DateRange[],
  { isChanged = () => false, onProgress }: Partial<JudgeWindowOptions> = {},
): Promise<Changes> {
  const suspects: JudgedSuspect[] = [];
  const reblend = new Set<CalendarDate>();
  let changed: DateRange | undefined;
  let unsettled: readonly string[] = [];
  const newest = await newestDayOfRates(transaction);
  const waiting = [...windows];
  for (let window = waiting.shift(); window; window = waiting.shift()) {
    const judged = await judgeWindow(transaction, window, { isChanged, unsettled, newest, onProgress });
    changed = union(changed, judged.changed);
    suspects.push(...judged.suspects);
    for (const date of judged.reblend) reblend.add(date);
    const { next } = judged;
    unsettled = next?.series ?? [];
    const isCovered = next && waiting[0] && waiting[0].from <= next.date;
    if (next && !isCovered) waiting.unshift({ from: next.date, to: addDays(next.date, WINDOW_DAYS) });
  }
  for (const window of affectedWindows([...reblend].sort()))
    changed = union(changed, await blendAgain(transaction, window));
  return { changed, suspects };
}

/** Blends a window of days that are already judged. */
async function blendAgain(transaction: Transaction, window: DateRange): Promise<DateRange | undefined> {
  const carried = createCarriedRows();
  const before = { from: addDays(window.from, -WINDOW_DAYS), to: addDays(window.from, -1) };
  const span = { from: dayNumber(before.from), to: dayNumber(window.to) };
  const observeOthers = createObserver(carried, await readLeftOut(transaction, span));
  for (const [day, observations] of await readObservations(transaction, before, carried))
    observeOthers(day, observations);
  return recompute(transaction, window, { carried, observeDay: observeOthers });
}
