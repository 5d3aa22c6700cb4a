import { hash } from 'node:crypto';
import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { publishInto, startEdge, type TestEdge, temporaryFolder } from '../../support/edge.js';
import { type HttpStub, httpStub } from '../../support/http-stub.js';
import type { TestDatabase } from '../../support/postgres.js';
import { databaseWith, someRates, storeRows } from '../../support/rates.js';
import { row } from '../rates/sources/in-memory.js';

const START = Date.parse('2026-03-20T17:00:00.000Z');
const HOUR_MS = 3_600_000;

type EdgeOptions = Partial<Parameters<typeof startEdge>[1]>;

/** What is published and who follows it: anew for each test of a file. */
export interface World {
  database: TestDatabase;
  /** Serves what is in `served`, and 503 where that is undefined. */
  origin: HttpStub;
  served: string | undefined;
  /** The folder that is published into; it has a first publication. */
  folder: string;
  /** Where edges keep what they have read. */
  dataDir: string;
  /** Since the first publication. */
  hours: number;
  clock(): Date;
  /** Publishes what is in the database, or in another one. */
  publish(into?: string, from?: TestDatabase): Promise<void>;
  /** Stores a rate of a currency that had none: 10.5 crowns a dollar. */
  storeNews(): Promise<void>;
  /** Publishes that two hours after the first publication. */
  publishNews(): Promise<void>;
  /** An edge, which is closed after the test. */
  start(options?: EdgeOptions & { location?: string }): Promise<TestEdge>;
  stop(edge: TestEdge): Promise<void>;
}

export function openWorld(): World {
  const running = new Set<TestEdge>();
  let closings: (() => Promise<unknown>)[] = [];
  let first: Awaited<ReturnType<typeof temporaryFolder>>;
  const rates = someRates('2025-12-22');
  const world = {
    clock: () => new Date(START + world.hours * HOUR_MS),
    publish: (into = world.folder, from = world.database) => publishInto(into, from, world.clock()),
    storeNews: () => storeRows(world.database, [row('BOC 2026-03-20 USD/SEK 10.5')]),
    async publishNews() {
      world.hours = 2;
      await world.storeNews();
      await world.publish();
    },
    async start({ location = world.origin.url, ...options } = {}) {
      const edge = await startEdge(location, { clock: world.clock, dataDir: world.dataDir, ...options });
      running.add(edge);
      return edge;
    },
    async stop(edge) {
      running.delete(edge);
      await edge.close();
    },
  } as World;

  beforeAll(async () => {
    first = await temporaryFolder();
    const database = await databaseWith(rates);
    await publishInto(first.path, database, new Date(START));
    await database.close();
  }, 120_000);
  afterAll(() => first?.close());

  beforeEach(async () => {
    world.hours = 0;
    world.database = await databaseWith(rates);
    const [published, kept] = [await temporaryFolder(), await temporaryFolder()];
    [world.folder, world.dataDir] = [join(published.path, 'rates'), kept.path];
    await cp(first.path, world.folder, { recursive: true });
    world.served = world.folder;
    world.origin = await httpStub({
      '*': async ({ path, headers }, response) => {
        const { served } = world;
        const bytes = served && (await readFile(join(served, path)).catch(() => undefined));
        if (!bytes) return void response.writeHead(served ? 404 : 503).end();
        const etag = `"${hash('sha256', bytes).slice(0, 16)}"`;
        if (headers['if-none-match'] === etag) response.writeHead(304, { etag }).end();
        else response.writeHead(200, { etag }).end(bytes);
      },
    });
    closings = [() => world.database.close(), published.close, kept.close, () => world.origin.close()];
  });
  afterEach(async () => {
    for (const edge of running) await world.stop(edge);
    for (const close of closings.reverse()) await close();
  });
  return world;
}

/** Looks for a newer publication, and gives what is said to be wrong with it. */
export async function follow({ edge }: TestEdge): Promise<string | undefined> {
  await edge.publication.catchUp().catch(() => undefined);
  return edge.publication.fault();
}

export async function readiness({ url }: TestEdge) {
  const response = await fetch(`${url}/health/ready`);
  return { code: response.status, ...((await response.json()) as { status: string; publication: object }) };
}
