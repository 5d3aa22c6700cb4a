import { setTimeout } from 'node:timers/promises';
import { HttpError } from '../../http/errors.js';
import type { DeferredReply } from '../../http/reply.js';
import type { Snapshot } from '../snapshot/snapshot.js';
import type { SnapshotHolder } from '../snapshot/snapshot-holder.js';
import { SnapshotOutdated } from '../sources/raw-store.js';
import { asUnavailable } from './unavailable.js';

const ATTEMPTS = 5;
const CATCH_UP_MS = 2_000;

type Holder = Pick<SnapshotHolder, 'current' | 'catchUp'>;

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

/**
 * A reply whose tag, headers and body are all of the snapshot that `begin` gets. Where the database does not have that
 * version any more, it is begun again with a newer one. Throws as `withSnapshot` does.
 */
export async function replyOfSnapshot(
  holder: Holder,
  begin: (snapshot: Snapshot) => DeferredReply | Promise<DeferredReply>,
): Promise<DeferredReply> {
  const begun = await withSnapshot(holder, async (snapshot) => begin(snapshot));
  let first: DeferredReply | undefined = begun;
  const make = () =>
    withSnapshot(holder, async (snapshot) => {
      const reply = first ?? (await begin(snapshot));
      first = undefined;
      return reply.make();
    });
  return { ...begun, make };
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
