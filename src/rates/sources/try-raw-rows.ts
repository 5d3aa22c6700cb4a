import type { SnapshotHolder } from '../snapshot/snapshot-holder.js';
import type { RawStore } from './raw-store.js';

const LIMIT_MS = 1_000;

/** Reads the raw rows of the newest day as a request would. Throws if that fails, or takes longer than a second. */
export async function tryRawRows(
  raw: Pick<RawStore, 'read'>,
  holder: Pick<SnapshotHolder, 'current'>,
): Promise<void> {
  const snapshot = holder.current();
  if (!snapshot) throw new Error('no rates are loaded');
  const day = snapshot.days.days.at(-1) ?? 0;
  await raw.read(snapshot, { from: day, to: day }, { signal: AbortSignal.timeout(LIMIT_MS) });
}
