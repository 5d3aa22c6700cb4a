import { createSemaphore } from '../../../core/concurrency/semaphore.js';
import { createSingleFlight } from '../../../core/concurrency/single-flight.js';
import type { Side } from '../../../core/domain/sides.js';
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
  const singleFlight = createSingleFlight<ProviderRates[]>();
  const nameOf = ({ name }: Observations, side?: Side) => [name, side].join(' ');
  // Each read takes a thread and its memory.
  const turns = createSemaphore({ permits: 1 });

  async function read(found: Observations, signal: AbortSignal): Promise<ProviderRates[]> {
    try {
      const published = await found.read();
      const packed = await turns.run(() => readProvider(published), { signal });
      const made = packed.map(unpackProviderRates);
      for (const rates of made) kept.keep(nameOf(found, rates.packed.side), rates);
      return made;
    } catch (error) {
      if (!(error instanceof PublicationError)) throw error;
      const served = 'rates of all providers together are still served';
      throw unavailable(`the rates of this provider can not be read; ${served}`, error);
    }
  }

  return {
    cachedOfProvider: (snapshot, key, side) => kept.get(nameOf(find(snapshot, key), side)),
    async ofProvider(snapshot, key, { signal }, side) {
      const found = find(snapshot, key);
      const cached = kept.get(nameOf(found, side));
      if (cached) return cached;
      const made = await singleFlight(found.name, (abandoned) => read(found, abandoned), signal);
      return made.find(({ packed }) => packed.side === side) as ProviderRates;
    },
  };
}
