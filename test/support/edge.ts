import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import type { Database } from '../../core/database/database.js';
import { type Clock, systemClock } from '../../core/domain/dates.js';
import { readConfig } from '../../core/process/config.js';
import { makeSigningKey } from '../../core/publication/keys.js';
import { createApp } from '../../src/app.js';
import { openProcessCache } from '../../src/cache/cache.js';
import { type Edge, openEdge } from '../../src/from-publication.js';
import { closeServer, createApiServer, listen } from '../../src/http/server.js';
import { publicationStore } from '../../src/publication-service.js';
import { readProvider } from '../../src/rates/published/read-provider.js';
import { readBlended } from '../../src/rates/published/snapshot.js';
import { publish } from '../../worker/publish/publish.js';

export const KEY = makeSigningKey('rates.example.org/almanac', new Uint8Array(32).fill(7));

/** A folder of its own, removed by `close`. */
export async function temporaryFolder(): Promise<{ path: string; close(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'almanac-edge-'));
  return { path, close: () => rm(path, { recursive: true }) };
}

/** Publishes what is in a database, signed at an instant. */
export async function publishInto(
  folder: string,
  database: Database,
  now: Date,
  more: Partial<Parameters<typeof publish>[1]> = {},
): Promise<void> {
  await publish(database, { folder, keys: [KEY], now, log: pino({ level: 'silent' }), ...more });
}

export interface TestEdge {
  url: string;
  edge: Edge;
  close(): Promise<void>;
}

interface EdgeOptions {
  clock?: Clock;
  /** Where it keeps what it has read. */
  dataDir: string;
  key?: string;
  pollSeconds?: number;
  /** Other variables of the environment. */
  variables?: Record<string, string>;
}

/** The API on a publication, on a port of its own, once it was tried to read that. */
export async function startEdge(location: string, options: EdgeOptions): Promise<TestEdge> {
  const { clock = systemClock, dataDir, key = KEY.verifier.text, pollSeconds = 3_600, variables } = options;
  const log = pino({ level: 'silent' });
  const config = readConfig({
    PUBLICATION_URL: location,
    PUBLICATION_KEY: key,
    DATA_DIR: dataDir,
    ...variables,
  });
  const edge = openEdge({ config, clock, log }, readBlended, pollSeconds * 1_000);
  const cache = openProcessCache();
  const { handler } = createApp(
    { ...edge, config, clock, log, cache },
    publicationStore(edge, { readProvider }),
  );
  const server = createApiServer(handler);
  const url = await listen(server, 0, '127.0.0.1');
  await edge.publication.tried();
  return {
    url,
    edge,
    async close() {
      await closeServer(server);
      await edge.publication.close();
      await cache.close();
    },
  };
}
