import { createSingleFlight } from '../../../core/concurrency/single-flight.js';
import type { Side } from '../../../core/domain/sides.js';
import type { Snapshot } from '../snapshot/snapshot.js';
import type { KeptRates } from './kept-rates.js';
import type { ProviderRates } from './provider-rates.js';
import type { Reader } from './raw-reads.js';

export type ProviderStore = ReturnType<typeof openProviderStore>;

interface ProviderReads {
  /** Names the rates of a provider: those with the same name are the same. */
  nameOf(snapshot: Snapshot, key: string): string;
  /** Reads at least the wanted side, or the rates themselves. */
  read(snapshot: Snapshot, key: string, side: Side | undefined, reader: Reader): Promise<ProviderRates[]>;
}

/** All rates of single providers, or one side of them, which are read at the first request and cached by name. */
export function openProviderStore(kept: KeptRates, { nameOf, read }: ProviderReads) {
  const singleFlight = createSingleFlight<ProviderRates[]>();
  const nameFor = (snapshot: Snapshot, key: string, what?: Side | 'sides') =>
    [key, nameOf(snapshot, key), what].join(' ');
  const cachedOfProvider = (snapshot: Snapshot, key: string, side?: Side): ProviderRates | undefined =>
    kept.providers.get(nameFor(snapshot, key, side));

  async function readAndKeep(...asked: Parameters<ProviderReads['read']>): Promise<ProviderRates[]> {
    const made = await read(...asked);
    const [snapshot, key] = asked;
    for (const rates of made) {
      const name = nameFor(snapshot, key, rates.packed.side);
      kept.providers.set(name, rates);
      // Rates of many past instants would fill the cache of another thread.
      if (!snapshot.past) kept.share({ name, providers: rates.packed });
    }
    return made;
  }

  return {
    cachedOfProvider,
    async ofProvider(
      snapshot: Snapshot,
      key: string,
      { signal }: Reader,
      side?: Side,
    ): Promise<ProviderRates> {
      const cached = cachedOfProvider(snapshot, key, side);
      if (cached) return cached;
      const work = (signal: AbortSignal) => readAndKeep(snapshot, key, side, { signal });
      const made = await singleFlight(nameFor(snapshot, key, side && 'sides'), work, signal);
      return made.find(({ packed }) => packed.side === side) as ProviderRates;
    },
  };
}
