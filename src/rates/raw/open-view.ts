import type { Snapshot } from '../snapshot/snapshot.js';
import type { RawStore, RawView } from './raw-store.js';

/** A view that stays open until it is closed. */
export interface OpenView {
  view: RawView;
  /** Gives back its connection and its place among the long reads. */
  close(): Promise<void>;
}

/** Opens a view at the version of the snapshot. Throws as RawStore does. */
export function openView(raw: Pick<RawStore, 'inView'>, snapshot: Snapshot): Promise<OpenView> {
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
    );
    closed.catch(reject);
  });
}
