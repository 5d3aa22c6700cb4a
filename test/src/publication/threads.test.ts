import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { readConfig } from '../../../core/process/config.js';
import type * as Built from '../../../src/from-publication.js';
import { closeServer, createApiServer, listen } from '../../../src/http/server.js';
import { useProviders } from '../../../src/publication/not-published.js';
import { KEY, publishInto, startEdge, type TestEdge, temporaryFolder } from '../../support/edge.js';
import { databaseWith, LONG_PAIRS, publish, someRates } from '../../support/rates.js';
import { builtModule } from '../../support/service.js';

const NOW = new Date('2026-03-20T17:00:00.000Z');
const clock = () => NOW;

let inPlace: TestEdge;
/** The URL of an API that makes what takes long in threads. */
let threaded: string;
/** Those that it has started, of which the one that makes contents alone goes on. */
const started: Worker[] = [];
const note = (worker: Worker) => started.push(worker);
const running = () => started.filter(({ threadId }) => threadId > 0);
const closings: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  process.on('worker', note);
  const [published, kept, own] = [await temporaryFolder(), await temporaryFolder(), await temporaryFolder()];
  useProviders({ own: [], except: ['BOC'] });
  const database = await databaseWith([
    ...someRates('2026-01-01').filter(({ provider }) => !['ECB', 'BOC'].includes(provider)),
    ...publish('ECB', LONG_PAIRS, '2019-01-01', '2026-03-20'),
    ...['2026-01-01', '2026-02-01', '2026-03-01'].flatMap((date) =>
      publish('INFOREURO', ['EUR/USD', 'EUR/GBP'], date, date, { weekends: true }),
    ),
  ]);
  await publishInto(published.path, database, NOW, { api: 'https://rates.example.org', omit: ['FRED'] });
  await rm(join(published.path, 'observations', 'RBM'), { recursive: true });

  inPlace = await startEdge(published.path, { clock, dataDir: kept.path });
  const { serveFromPublication } = await builtModule<typeof Built>('src/from-publication.js');
  const served = await serveFromPublication({
    config: readConfig({
      PUBLICATION_URL: published.path,
      PUBLICATION_KEY: KEY.verifier.text,
      DATA_DIR: own.path,
    }),
    clock,
    log: pino({ level: 'silent' }),
    isDraining: () => false,
  });
  const server = createApiServer((request, response) => served.service.handler(request, response));
  threaded = await listen(server, 0, '127.0.0.1');
  await served.ready;
  // It starts with the first content that takes long.
  await answer(`${threaded}/v2/rates?from=2019-01-01`);
  await vi.waitFor(() => expect(running()).toHaveLength(1));
  closings.push(
    () => closeServer(server),
    () => served.close(),
    () => inPlace.close(),
    () => database.close(),
    async () => process.off('worker', note),
    ...[published, kept, own].map((folder) => () => folder.close()),
  );
}, 180_000);
afterAll(async () => {
  for (const close of closings) await close();
  useProviders({ own: [], except: [] });
});

async function answer(url: string, init: RequestInit = {}) {
  const response = await fetch(url, init);
  const names = ['content-type', 'etag', 'link', 'retry-after', 'x-rates-as-of', 'cache-control'];
  const headers = names.map((name) => response.headers.get(name));
  return { status: response.status, headers, body: await response.text() };
}

/** The answer of both, which is the same. */
async function answerOfBoth(path: string, init?: RequestInit) {
  const [expected, made] = [await answer(inPlace.url + path, init), await answer(threaded + path, init)];
  expect([path, made]).toEqual([path, expected]);
  return made;
}

/** What a thread seems to compute while it waits; the shortest content takes twenty times as long. */
const NOISE_MS = 0.1;

/** For how long that has computed, in milliseconds. */
const computed = () => running()[0]?.performance.eventLoopUtilization().active ?? Number.NaN;

it.each([
  '/v2/rates?from=2019-01-01',
  '/v2/rates.csv?from=2019-01-01&base=GBP',
  '/v2/rates?from=2019-01-01&group=year',
  '/v2/rates?providers=ECB',
  '/v2/rates?providers=ECB&from=2019-01-01&base=CHF',
  '/v2/rates.ndjson?providers=ECB&from=2019-01-01',
  '/v2/rates?providers=NBU&base=UAH&from=1999-01-01',
  '/v2/rate/EUR/USD?providers=INFOREURO&date=2026-02-10',
  '/v1/2019-01-02..2026-03-20',
])('%s is made in a thread as it is in place', async (path) => {
  const before = computed();
  expect(await answerOfBoth(path)).toMatchObject({ status: 200, body: expect.stringMatching(/\d{4}-\d\d/) });
  expect(computed()).toBeGreaterThan(before + NOISE_MS);
});

it('the rates of a provider are read once', async () => {
  await answerOfBoth('/v2/rates?providers=ECB&base=JPY');
  const before = started.length;
  for (const more of ['base=USD', 'base=CHF', 'base=USD&from=2019-01-01', 'base=GBP&from=2019-01-01'])
    await answerOfBoth(`/v2/rates?providers=ECB&${more}`);
  expect(started).toHaveLength(before);
});

it('a thread gets the rates of each provider whose rule a line names, of those that are published', async () => {
  const line = { amount: '10', base: 'EUR', quote: 'USD', date: '2026-02-10' };
  const rules = ['eu-vat', 'eu-accounting', 'ca-income'];
  const body = JSON.stringify([line, ...rules.map((rule) => ({ ...line, rule }))]);
  const headers = { 'content-type': 'application/json' };
  const made = await answerOfBoth('/v2/convert', { method: 'POST', headers, body });
  expect(JSON.parse(made.body)).toMatchObject([
    { result: expect.anything() },
    { result: expect.anything(), rule: { source: 'ECB' } },
    { result: expect.anything(), rule: { source: 'INFOREURO' } },
    { error: expect.stringContaining('BOC is left out of this service') },
  ]);
});

it.each([
  ['/v2/rate/EUR/KPW?providers=INFOREURO', 404],
  ['/v2/rates?providers=ECB,NBU', 501],
  ['/v2/rates?providers=ECB&from=2019-01-01&as_of=2026-03-01', 501],
  ['/v2/rates?from=2019-01-01&expand=quality', 501],
  ['/v2/rate/EUR/USD?expand=receipt', 501],
  ['/v2/revisions', 501],
  ['/v2/suspects', 501],
  ['/v2/rates?providers=FRED', 501],
  ['/v2/rates?providers=BOC', 422],
  // Its file is gone.
  ['/v2/rates?providers=RBM', 503],
])('%s fails as it does in place, with %d', async (path, status) => {
  expect(await answerOfBoth(path)).toMatchObject({ status });
});

it('threads end with the service', async () => {
  const [closeServed = async () => {}] = closings.splice(1, 1);
  await closeServed();
  expect(running()).toEqual([]);
});
