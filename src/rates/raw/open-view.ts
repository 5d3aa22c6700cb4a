import type { Snapshot } from '../snapshot/snapshot.js';
import type { RawStore, RawView } from './raw-store.js';

/** A view that the caller closes. */
export interface OpenView {
  view: RawView;
  /** Releases its connection and its permit for long reads. */
  close(): Promise<void>;
}

/** Opens a view at the version of the snapshot. Throws as RawStore does. */
export function openView(
  raw: Pick<RawStore, 'inView'>,
  snapshot: Snapshot,
  signal: AbortSignal,
): Promise<OpenView> {
  return new Promise((resolve, reject) => {
    const closed = raw.inView(
      snapshot,
      (view) =>
        new Promise<void>((release) => {
          const close = () => {
            release();
            return closed;
          };
          resolve({ view, close });
        }),
      signal,
    );
    closed.catch(reject);
  });
}
