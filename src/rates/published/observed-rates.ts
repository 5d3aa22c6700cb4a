import { createSemaphore } from '../../../core/concurrency/semaphore.js';
import { PublicationError } from '../../../core/publication/publication-error.js';
import { unavailable } from '../../http/errors.js';
import type { Snapshot } from '../snapshot/snapshot.js';
import { openKeptRates } from '../sources/kept-rates.js';
import { unpackProviderRates } from '../sources/provider-rates.js';
import { openProviderStore, type ProviderStore } from '../sources/provider-store.js';
import type { PublishedProvider, ReadProvider } from './read-provider.js';

/** The rows of one provider in the publication that a snapshot was made from. */
export interface Observations {
  /** Observations with the same name have the same content. */
  name: string;
  /** Reads their files. Throws a PublicationError. */
  read(): Promise<PublishedProvider>;
}

/** Throws an HttpError for a provider that is not published, and DataOutdated for an older snapshot. */
export type FindObservations = (snapshot: Snapshot, key: string) => Observations;

/** Rates are read at the first request. Reading throws an HttpError 503 if they can't be read. */
export function openObservedRates(find: FindObservations, readProvider: ReadProvider): ProviderStore {
  // Each read takes a thread and its memory.
  const turns = createSemaphore({ permits: 1 });
  return openProviderStore(openKeptRates(), {
    nameOf: (snapshot, key) => find(snapshot, key).name,
    async read(snapshot, key, _side, { signal }) {
      try {
        const published = await find(snapshot, key).read();
        const packed = await turns.run(() => readProvider(published), { signal });
        return packed.map(unpackProviderRates);
      } catch (error) {
        if (!(error instanceof PublicationError)) throw error;
        const served = 'rates of all providers together are still served';
        throw unavailable(`the rates of this provider can not be read; ${served}`, error);
      }
    },
  });
}
