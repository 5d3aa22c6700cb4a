import { dayNumber } from '../../../core/domain/dates.js';
import { HttpError } from '../../http/errors.js';
import type { Snapshot } from '../snapshot/snapshot.js';

const RETRY_AFTER_SECONDS = '5';

/** Throws an HttpError 503 if rates from a day on (day number) are needed, and not all of them are loaded yet. */
export function requireLoaded({ loadedFrom }: Pick<Snapshot, 'loadedFrom'>, from: number): void {
  if (loadedFrom === undefined || from >= dayNumber(loadedFrom)) return;
  throw new HttpError(503, `rates before ${loadedFrom} are still being loaded`, {
    headers: { 'retry-after': RETRY_AFTER_SECONDS },
  });
}
