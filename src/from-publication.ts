import { join } from 'node:path';
import { createGate } from '../core/concurrency/gate.js';
import { type Config, ConfigurationError, dataFolder } from '../core/process/config.js';
import { parseVerifierKeys, type VerifierKey } from '../core/publication/keys.js';
import { PublicationError } from '../core/publication/publication-error.js';
import type { Program, Served } from './app.js';
import { openProcessCache } from './cache/cache.js';
import type { CatalogueHolder } from './catalogue/holder.js';
import { publishedCatalogue } from './publication/catalogue.js';
import { followPublication } from './publication/holder.js';
import { providersInUse, useProviders } from './publication/not-published.js';
import type { PublicationSource, PublishedContent } from './publication-service.js';
import { inThread } from './rates/in-thread.js';
import { publishedSnapshot, type ReadBlended } from './rates/published/snapshot.js';
import type { SnapshotHolder } from './rates/snapshot/snapshot-holder.js';

/** The time between two checks for a newer publication. A check without one costs a conditional request. */
const POLL_MS = 60_000;

export interface Edge extends PublicationSource {
  snapshot: SnapshotHolder;
  catalogue: CatalogueHolder;
}

export async function serveFromPublication(program: Program): Promise<Served> {
  const wasRead = createGate();
  const edge = openEdge(program, (whole) => {
    wasRead.open();
    return inThread('blended', whole);
  });
  const cache = openProcessCache();
  // The other modules are loaded while the thread works, but not before, which would delay the thread.
  await Promise.race([wasRead.opened, edge.publication.tried()]);
  const { openPublicationService } = await import('./publication-service.js');
  const service = openPublicationService({ ...program, ...edge, cache });
  const { publication, snapshot } = edge;
  return {
    service,
    snapshot,
    ready: publication.tried(),
    startupCheck: Promise.resolve(),
    async close() {
      await Promise.all([publication.close(), service.close()]);
      await cache.close();
    },
  };
}

/** Throws a ConfigurationError. */
export function openEdge(
  { config, clock, log }: Omit<Program, 'isDraining'>,
  readBlended: ReadBlended,
  pollMs = POLL_MS,
): Edge {
  const { location, keys } = locationAndKeys(config);
  const publication = followPublication<PublishedContent>({
    location,
    keys,
    proxies: config,
    folder: join(dataFolder(config), 'publication'),
    pollMs,
    clock,
    log,
    make: (published, from) => makeContent(published, from, readBlended),
  });
  return {
    publication,
    url: /^https?:/.test(location) ? location : null,
    keys,
    snapshot: { ...publication, current: () => publication.current()?.content.snapshot },
    catalogue: {
      ...publication,
      current: () => publication.current()?.content.catalogue,
      // The fault of the publication shows whether it is followed.
      confirmedAt: () => (publication.current() ? performance.now() : undefined),
    },
  };
}

type Make = Parameters<typeof followPublication<PublishedContent>>[0]['make'];

async function makeContent(
  { record, manifest, read }: Parameters<Make>[0],
  { current, isKept }: Parameters<Make>[1],
  readBlended: ReadBlended,
): ReturnType<Make> {
  const isSame = current?.record.manifest === record.manifest;
  const lists = await publishedCatalogue(record, manifest, read);
  const snapshot = isSame
    ? current.content.snapshot
    : await publishedSnapshot(manifest, { hash: record.manifest, read, readBlended, isKept });
  const providers = providersInUse([...lists.described.values()].map(({ provider }) => provider));
  useProviders(providers);
  return { snapshot, ...lists, providers };
}

function locationAndKeys(config: Config): { location: string; keys: VerifierKey[] } {
  const { PUBLICATION_URL: location, PUBLICATION_KEY: key, DATABASE_URL } = config;
  if (location === undefined) throw new ConfigurationError('PUBLICATION_URL: must be set');
  if (DATABASE_URL !== undefined) {
    throw new ConfigurationError(
      'PUBLICATION_URL: an API reads a publication or a database: unset DATABASE_URL, and start the API alone (npm run api)',
    );
  }
  if (key === undefined) {
    throw new ConfigurationError(
      'PUBLICATION_KEY: must be set to the public key of the publication, which its operator provides and ' +
        'GET /v2/publication of the live API returns',
    );
  }
  try {
    return { location, keys: parseVerifierKeys(key) };
  } catch (error) {
    if (error instanceof PublicationError)
      throw new ConfigurationError(`PUBLICATION_KEY: ${error.message}`, { cause: error });
    throw error;
  }
}
