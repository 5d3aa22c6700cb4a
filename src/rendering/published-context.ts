import { notPublished, type ProvidersInUse } from '../publication/not-published.js';
import { type PackedProviderRates, unpackProviderRates } from '../rates/sources/provider-rates.js';
import type { ProviderStore } from '../rates/sources/provider-store.js';
import type { DatabaseContext } from './database-context.js';

/** Plain data for a thread; the blended rates are passed apart. */
export interface PublishedData {
  api: string | null;
  providers: ProvidersInUse;
  /** Those of a provider, and each of their sides. */
  rates: ReadonlyMap<string, readonly PackedProviderRates[]>;
}

/** The rates of a provider are needed but were not passed. */
export class RatesNeeded extends Error {
  override readonly name = 'RatesNeeded';

  constructor(readonly provider: string) {
    super(`the rates of ${provider} were not given`);
  }
}

/** Reading what a publication lacks throws an HttpError 501. */
export function openPublishedContext(observed: ProviderStore, api: () => string | null): DatabaseContext {
  const absent = (what: string) => async (): Promise<never> => {
    throw notPublished(`${what} are not published`, { api: api() });
  };
  const past = absent('rates of the past, and what is behind them,');
  return {
    raw: {
      ...observed,
      cachedShares: () => undefined,
      newestShares: past,
      since: past,
      read: past,
      span: past,
      lastBefore: past,
      statesOf: past,
    },
    versions: { at: past },
    pastSnapshots: { of: past, newestDay: past, holds: () => false },
    receipts: past,
    readFigures: absent('replaced figures'),
    readRevisions: absent('corrections'),
    readSuspects: absent('held-back rates'),
  };
}

/** Opens the same inputs from only the data passed. Throws RatesNeeded. */
export function openGivenContext({ api, rates }: PublishedData): DatabaseContext {
  const unpacked = new Map([...rates].map(([key, packed]) => [key, packed.map(unpackProviderRates)]));
  const cachedOfProvider: ProviderStore['cachedOfProvider'] = (_snapshot, key, side) =>
    unpacked.get(key)?.find(({ packed }) => packed.side === side);
  const observed: ProviderStore = {
    cachedOfProvider,
    async ofProvider(snapshot, key, _reader, side) {
      const given = cachedOfProvider(snapshot, key, side);
      if (!given) throw new RatesNeeded(key);
      return given;
    },
  };
  return openPublishedContext(observed, () => api);
}
