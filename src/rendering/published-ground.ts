import { notPublished } from '../publication/not-published.js';
import type { ProvidersInUse } from '../publication/providers-in-use.js';
import type { ObservedRates } from '../rates/published/observed-rates.js';
import { type PackedProviderRates, unpackProviderRates } from '../rates/sources/provider-rates.js';
import type { DatabaseGround } from './ground.js';

/** What a content is made from besides the blended rates, as plain data for a thread. */
export interface PublishedData {
  /** The URL of the API that has more than the publication, where one is known. */
  api: string | null;
  providers: ProvidersInUse;
  /** By provider. */
  rates: ReadonlyMap<string, PackedProviderRates>;
}

/** The rates of a provider are needed that were not given. */
export class RatesNeeded extends Error {
  override readonly name = 'RatesNeeded';

  constructor(readonly provider: string) {
    super(`the rates of ${provider} were not given`);
  }
}

/** What contents are made from, of a publication. What that does not have throws an HttpError 501. */
export function openPublishedGround(observed: ObservedRates, api: () => string | null): DatabaseGround {
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
    pastSnapshots: {
      of: past,
      newestDay: past,
      withoutDays: () => {
        throw notPublished('rates of the past are not published', { api: api() });
      },
    },
    receipts: past,
    readFigures: absent('replaced figures'),
    readRevisions: absent('corrections'),
    readSuspects: absent('held-back rates'),
  };
}

/** The same with nothing but what was given. Throws RatesNeeded. */
export function openGivenGround({ api, rates }: PublishedData): DatabaseGround {
  const unpacked = new Map([...rates].map(([key, packed]) => [key, unpackProviderRates(packed)]));
  const observed: ObservedRates = {
    cachedOfProvider: (_snapshot, key) => unpacked.get(key),
    async ofProvider(_snapshot, key) {
      const given = unpacked.get(key);
      if (!given) throw new RatesNeeded(key);
      return given;
    },
  };
  return openPublishedGround(observed, () => api);
}
