import { createSemaphore } from '../../../core/concurrency/semaphore.js';
import { createSingleFlight } from '../../../core/concurrency/single-flight.js';
import { PublicationError } from '../../../core/publication/publication-error.js';
import { unavailable } from '../../http/errors.js';
import type { Snapshot } from '../snapshot/snapshot.js';
import { openKeptRates } from '../sources/kept-rates.js';
import { type ProviderRates, unpackProviderRates } from '../sources/provider-rates.js';
import type { RawStore } from '../sources/raw-store.js';
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

export type ObservedRates = Pick<RawStore, 'ofProvider' | 'cachedOfProvider'>;

/** Rates are read at the first request. Reading throws an HttpError 503 if they can't be read. */
export function openObservedRates(find: FindObservations, readProvider: ReadProvider): ObservedRates {
  const { providers: kept } = openKeptRates();
  const singleFlight = createSingleFlight<ProviderRates>();
  // Each read takes a thread and its memory.
  const turns = createSemaphore({ permits: 1 });

  async function read(found: Observations, signal: AbortSignal): Promise<ProviderRates> {
    try {
      const published = await found.read();
      const rates = unpackProviderRates(await turns.run(() => readProvider(published), { signal }));
      kept.keep(found.name, rates);
      return rates;
    } catch (error) {
      if (!(error instanceof PublicationError)) throw error;
      const served = 'rates of all providers together are still served';
      throw unavailable(`the rates of this provider can not be read; ${served}`, error);
    }
  }

  return {
    cachedOfProvider: (snapshot, key) => kept.get(find(snapshot, key).name),
    async ofProvider(snapshot, key, { signal }) {
      const found = find(snapshot, key);
      const cached = kept.get(found.name);
      return cached ?? (await singleFlight(found.name, (abandoned) => read(found, abandoned), signal));
    },
  };
}
