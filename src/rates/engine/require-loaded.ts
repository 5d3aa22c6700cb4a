import { WINDOW_DAYS } from '../../../core/domain/blend/carry-forward.js';
import { type CalendarDate, dayNumber } from '../../../core/domain/dates.js';
import { HttpError, StillLoading } from '../../http/errors.js';
import type { Snapshot } from '../snapshot/snapshot.js';

const RETRY_AFTER_SECONDS = '5';

interface HoldsSnapshot {
  current(): Snapshot | undefined;
}

export function requireSnapshot(holder: HoldsSnapshot): Snapshot {
  const snapshot = holder.current();
  if (snapshot) return snapshot;
  throw new HttpError(503, 'the first rates are being loaded', { headers: { 'retry-after': '2' } });
}

/** Throws an HttpError 503 if suspects from a date on, by default all, are needed, and not all are found yet. */
export function requireSuspects(holder: HoldsSnapshot, from?: CalendarDate): void {
  // Rates of the days before decide which are suspect.
  const first = from === undefined ? Number.NEGATIVE_INFINITY : dayNumber(from) - WINDOW_DAYS;
  requireLoaded(requireSnapshot(holder), first);
}

/** Throws an HttpError 503 if rates from a day on (day number) are needed, and not all of them are loaded yet. */
export function requireLoaded({ loadedFrom }: Pick<Snapshot, 'loadedFrom'>, from: number): void {
  if (loadedFrom === undefined || from >= dayNumber(loadedFrom)) return;
  throw new StillLoading(503, `rates before ${loadedFrom} are still being loaded`, {
    headers: { 'retry-after': RETRY_AFTER_SECONDS },
  });
}
