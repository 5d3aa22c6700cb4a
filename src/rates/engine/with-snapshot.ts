import { setTimeout } from 'node:timers/promises';
import { isUnavailable } from '../../../core/database/errors.js';
import { HttpError } from '../../http/errors.js';
import type { Snapshot } from '../snapshot/snapshot.js';
import { SnapshotOutdated } from '../sources/raw-store.js';

const ATTEMPTS = 5;
const CATCH_UP_MS = 2_000;

/** What has the newest snapshot, and can be asked to read a newer one. */
export interface Holder {
  current(): Snapshot | undefined;
  catchUp(): Promise<unknown>;
}

/** The newest snapshot. Throws an HttpError 503 before the first one is read. */
export function requireSnapshot(holder: Pick<Holder, 'current'>): Snapshot {
  const snapshot = holder.current();
  if (snapshot) return snapshot;
  throw new HttpError(503, 'the first rates are being loaded', { headers: { 'retry-after': '2' } });
}

/**
 * Runs work that reads raw rows at the data version of the snapshot; again with a newer snapshot where the database does
 * not have that version any more. Throws an HttpError 503 if that takes too long or the database can't be reached.
 */
export async function withSnapshot<T>(holder: Holder, work: (snapshot: Snapshot) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(requireSnapshot(holder));
    } catch (error) {
      if (!(error instanceof SnapshotOutdated)) throw asUnavailable(error);
      if (attempt === ATTEMPTS) throw changing(error);
    }
    await catchUp(holder);
  }
}

async function catchUp(holder: Holder): Promise<void> {
  const catchingUp = holder.catchUp().then(
    () => true,
    (error: unknown) => {
      throw asUnavailable(error);
    },
  );
  const inTime = await Promise.race([catchingUp, setTimeout(CATCH_UP_MS, false, { ref: false })]);
  if (!inTime) throw changing(new Error(`catching up took longer than ${CATCH_UP_MS} ms`));
}

function changing(cause: unknown): HttpError {
  return new HttpError(503, 'the rates are changing right now', { headers: { 'retry-after': '1' }, cause });
}

/** Converts an error to a 503 if the database can't be reached; returns any other error as it is. */
export function asUnavailable(error: unknown): unknown {
  if (error instanceof HttpError || !isUnavailable(error)) return error;
  return new HttpError(
    503,
    'the store can not be reached; rates of all providers together are still served',
    { headers: { 'retry-after': '5' }, cause: error },
  );
}
