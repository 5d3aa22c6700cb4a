import {
  type JudgedSuspect,
  lastTrustedBefore,
  suspectsBetween,
  waitingBefore,
} from '../../core/database/suspects.js';
import type { Transaction } from '../../core/database/transactions.js';
import {
  type CarriedRows,
  createCarriedRows,
  observe,
  seriesOf,
  WINDOW_DAYS,
} from '../../core/domain/blend/carry-forward.js';
import { type Decision, Judge } from '../../core/domain/blend/judge.js';
import { isDecision, isHeld, type Suspect } from '../../core/domain/blend/suspect.js';
import { addDays, type CalendarDate, type DateRange, dayNumber } from '../../core/domain/dates.js';
import { createObserver, type LeftOutRate, readObservations } from './read-observations.js';
import { asOf, figureKey, isCurrent, suspectFrom } from './suspect-records.js';

/** The state from which to judge the days of a window. */
export type StateBefore = Awaited<ReturnType<typeof stateBefore>>;

/** Reads what was trusted and suspected before a window, given only what was known of the days before it. */
export async function stateBefore(transaction: Transaction, window: DateRange) {
  /** The last trusted rate of every series before the window, however old. */
  const carried = createCarriedRows();
  const before = { from: addDays(window.from, -WINDOW_DAYS), to: addDays(window.from, -1) };
  const stored = await suspectsBetween(transaction, { from: before.from, to: window.to });
  const earlier = await readObservations(transaction, before, carried);
  /** The suspects of the window and the earlier ones that still matter, by key. */
  const records = new Map(stored.map((one) => [figureKey(one), one]));
  const first = dayNumber(window.from);
  const suspects: Suspect[] = [];
  const decisions: Decision[] = [];
  const leftOut: LeftOutRate[] = [];
  const rates = new Map(earlier);
  for (const record of stored) {
    const suspect = asOf(suspectFrom(record, carried), first - 1);
    const { series, day, rate } = suspect;
    if (isDecision(record.status)) decisions.push({ ...suspect, isAccepted: record.status === 'accepted' });
    else if (day < first && isCurrent(record, rates.get(day) ?? [])) suspects.push(suspect);
    if (record.status === 'rejected' || (record.status !== 'accepted' && isHeld(suspect)))
      leftOut.push({ ...series, day, rate });
  }
  const observeOthers = createObserver(carried, leftOut);
  for (const [day, observations] of earlier) observeOthers(day, observations);
  const judgedFrom = window.from;
  for (const record of await observeLast(transaction, carried, { before: before.from, judgedFrom })) {
    records.set(figureKey(record), record);
    suspects.push(asOf(suspectFrom(record, carried), first - 1));
  }
  return { carried, judge: new Judge(carried, suspects, decisions), records };
}

/** Observes the last trusted rate of series without a later one. Returns the suspects held back after these. */
async function observeLast(
  transaction: Transaction,
  carried: CarriedRows,
  { before, judgedFrom }: { before: CalendarDate; judgedFrom: CalendarDate },
): Promise<JudgedSuspect[]> {
  const known = [...carried.series.values()].filter(({ day }) => day > Number.NEGATIVE_INFINITY);
  const except = known.map(({ key }) => key);
  const last = await lastTrustedBefore(transaction, before, { judgedFrom, except });
  for (const { provider, base, quote, date, rate } of last)
    observe(seriesOf(carried, provider, base, quote), dayNumber(date), rate);
  return waitingBefore(transaction, before, { judgedFrom, except });
}
