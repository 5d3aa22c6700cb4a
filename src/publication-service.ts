import { shippedProviders } from '../core/domain/providers.js';
import type { VerifierKey } from '../core/publication/keys.js';
import { type AppDependencies, openService, type Service, type Store } from './app.js';
import type { Catalogue } from './catalogue/catalogue.js';
import { DataOutdated, type ParameterFault } from './http/errors.js';
import { readPhrases } from './no/no-routes.js';
import type { DescribedProvider } from './publication/catalogue.js';
import type { PublicationHolder } from './publication/holder.js';
import { notPublished, type ProvidersInUse, providersInUse } from './publication/not-published.js';
import type { RefuseRequest } from './rates/engine/ask.js';
import { inThread } from './rates/in-thread.js';
import { readAll } from './rates/published/files.js';
import { type Observations, openObservedRates } from './rates/published/observed-rates.js';
import type { ReadProvider } from './rates/published/read-provider.js';
import type { Snapshot, WholeSnapshot } from './rates/snapshot/snapshot.js';
import { openPublishedContext } from './rendering/published-context.js';
import { openPublishedThreads } from './rendering/published-threads.js';
import { openRenderThreads, type RenderThreads } from './rendering/render-threads.js';

export function openPublicationService(given: AppDependencies & PublicationSource): Service {
  const { clock, log } = given;
  const threads = openRenderThreads({ clock, log });
  const readProvider: ReadProvider = (provider) => inThread('provider', provider);
  return {
    ...openService(given, publicationStore(given, { readProvider, threads })),
    close: () => threads.close(),
  };
}

export interface PublishedContent {
  snapshot: WholeSnapshot;
  catalogue: Catalogue;
  described: ReadonlyMap<string, DescribedProvider>;
  providers: ProvidersInUse;
}

export interface PublicationSource {
  publication: PublicationHolder<PublishedContent>;
  /** Null for a folder. */
  url: string | null;
  keys: readonly VerifierKey[];
}

/** The store without a database. Has blended rates and those of single providers. Makes them in place without threads. */
export function publicationStore(
  { publication, url, keys }: PublicationSource,
  { readProvider, threads }: { readProvider: ReadProvider; threads?: RenderThreads | undefined },
): Store {
  const api = () => publication.current()?.manifest.api ?? null;

  /** Throws DataOutdated if a newer publication has replaced that of the snapshot. */
  function observationsOf(snapshot: Snapshot, key: string): Observations {
    const published = publication.current();
    if (published?.content.snapshot !== snapshot) throw new DataOutdated('there is a newer publication');
    const prefix = `observations/${key}/`;
    const files = published.manifest.files.filter(({ path }) => path.startsWith(prefix));
    if (files.length === 0 && published.content.catalogue.coverage.has(key)) {
      const message = `providers: the rates of ${key} are not published, as its terms forbid copies`;
      throw notPublished(message, { api: api(), parameters: [{ parameter: 'providers', message }] });
    }
    const { provider, leftOut = new Map(), sha256: description } = published.content.described.get(key) ?? {};
    return {
      name: [description, ...files.map(({ sha256 }) => sha256)].join(' '),
      read: async () => ({
        files: await readAll(files, published.read),
        pivot: provider?.pivot_currency ?? null,
        period: provider?.period,
        leftOut,
      }),
    };
  }

  const observed = openObservedRates(observationsOf, readProvider);
  const providers = () => publication.current()?.content.providers ?? providersInUse(shippedProviders);
  const phrases = readPhrases();
  return {
    ...openPublishedContext(observed, api),
    threads:
      threads && openPublishedThreads(threads, observed, () => ({ api: api(), providers: providers() })),
    refuseRequest: refusing(api),
    activity: async () => new Map(),
    drawPhrase: async () => phrases[Math.floor(Math.random() * phrases.length)],
    findPublication: async () => {
      const published = publication.current();
      if (!published) return undefined;
      const { origin } = published.manifest;
      const own = keys.filter((key) => key.origin === origin);
      return { url, origin, keys: own.map(({ text }) => text) };
    },
    following() {
      const { version = null, expires = null } = publication.current()?.record ?? {};
      return { version, expires, fault: publication.fault() ?? null };
    },
    servers: {},
  };
}

/** The details of rows that need more than is published. */
const BEHIND = new Set(['providers', 'quality']);

function refusing(api: () => string | null): RefuseRequest {
  return ({ providers = [], expand, receipt, asOf, updatedAfter }) => {
    const faults: ParameterFault[] = [];
    const fault = (parameter: string, what: string) =>
      faults.push({ parameter, message: `${parameter}: ${what} can't be answered from a publication` });
    if (providers.length > 1) fault('providers', 'the blend of some providers');
    for (const detail of [...expand.filter((one) => BEHIND.has(one)), ...(receipt ? ['receipt'] : [])])
      fault('expand', detail);
    if (asOf !== undefined) fault('as_of', 'an instant in the past');
    if (updatedAfter) fault('updated_after', 'what has changed since');
    if (faults.length === 0) return;
    const message = faults.map(({ message }) => message).join('; ');
    throw notPublished(message, { api: api(), parameters: faults });
  };
}
