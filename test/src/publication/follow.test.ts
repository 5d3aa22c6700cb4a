import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { withPrisma } from '../../../core/database/database.js';
import { readConfig } from '../../../core/process/config.js';
import { makeSigningKey } from '../../../core/publication/keys.js';
import { openEdge } from '../../../src/from-publication.js';
import { readBlended } from '../../../src/rates/published/snapshot.js';
import { KEY, publishInto, type TestEdge } from '../../support/edge.js';
import { databaseWith, publish, someRates, storeRows } from '../../support/rates.js';
import { row } from '../rates/sources/in-memory.js';
import { follow, openWorld, readiness } from './following.js';

const world = openWorld();

const statusOf = async ({ url }: TestEdge, path: string) => (await fetch(url + path)).status;
const textOf = async ({ url }: TestEdge, path: string) => (await fetch(url + path)).text();
/** The rate of a currency that had none at first, or that there is none. */
const newsOf = (edge: TestEdge) => textOf(edge, '/v2/rate/USD/SEK.txt?date=2026-03-20');
const rateOf = (edge: TestEdge) => textOf(edge, '/v2/rate/EUR/USD.txt?date=2026-03-20');

async function expectDegraded(edge: TestEdge, fault: RegExp): Promise<void> {
  const publication = { fault: expect.stringMatching(fault) };
  expect(await readiness(edge)).toMatchObject({ code: 200, status: 'degraded', publication });
}

it('an edge fetches what is new, and nothing where nothing is', async () => {
  const edge = await world.start();
  expect(await newsOf(edge)).toContain('404');
  world.origin.requests.length = 0;
  expect(await follow(edge)).toBeUndefined();
  expect(world.origin.requests.map(({ path }) => path)).toEqual(['/checkpoint']);
  await world.publishNews();
  world.origin.requests.length = 0;
  expect(await follow(edge)).toBeUndefined();
  const log = world.origin.requests.filter(({ path }) => path.startsWith('/log/'));
  expect(log.map(({ headers }) => headers.range)).toContain('bytes=-65536');
  const blended = world.origin.requests.filter(({ path }) => path.startsWith('/blended/'));
  expect(blended.map(({ path }) => path)).toEqual([expect.stringMatching(/^\/blended\/2026\./)]);
  expect(await newsOf(edge)).toBe('10.5');
  expect(await readiness(edge)).toMatchObject({ code: 200, status: 'ready', publication: { fault: null } });
});

it('an edge reads the files of a provider when it is first asked for', async () => {
  const edge = await world.start();
  const ask = () => textOf(edge, '/v2/rates?providers=BOC&quotes=CAD');
  const observed = () => world.origin.requests.filter(({ path }) => path.startsWith('/observations/'));
  expect(observed()).toEqual([]);
  const first = await ask();
  const count = observed().length;
  expect(count).toBeGreaterThan(0);
  expect(await ask()).toBe(first);
  expect(observed()).toHaveLength(count);
  world.served = undefined;
  expect(await ask()).toBe(first);
  expect(await statusOf(edge, '/v2/rates?providers=NBU')).toBe(503);
});

it('an edge shows the reason for which a rate is held back now, of the same row', async () => {
  const [right] = someRates('2026-03-20').filter(({ base, quote }) => `${base}/${quote}` === 'USD/CAD');
  await storeRows(world.database, [row(`BOC 2026-03-20 USD/CAD ${(right?.rate ?? 0) * 10}`)]);
  await world.publish();
  const edge = await world.start();
  const ask = async () => (await fetch(`${edge.url}/v2/providers/BOC/rate/USD/CAD?date=2026-03-20`)).json();
  expect(await ask()).toMatchObject({ suspect: true, reason: 'factor_of_ten' });
  world.hours = 2;
  await world.storeNews();
  await withPrisma(world.database, (prisma) => prisma.$executeRaw`update suspects set reason = 'jump'`);
  await world.publish();
  expect(await follow(edge)).toBeUndefined();
  expect(await ask()).toMatchObject({ suspect: true, reason: 'jump' });
});

it('an edge does not serve a source that is left out now, though the data version is the same', async () => {
  const edge = await world.start();
  const ask = () => statusOf(edge, '/v2/rates?providers=NBU&quotes=UAH');
  // A reply is stored once its request has come again.
  for (let time = 0; time < 3; time++) expect(await ask()).toBe(200);
  world.hours = 2;
  await publishInto(world.folder, world.database, world.clock(), { omit: ['NBU'] });
  expect(await follow(edge)).toBeUndefined();
  expect(await ask()).toBe(501);
});

it('an edge starts from what it has kept while the origin is away, also expired, and says so', async () => {
  const first = await world.start();
  const rate = await rateOf(first);
  await world.stop(first);
  world.served = undefined;
  world.hours = 60;
  const again = await world.start();
  expect(await rateOf(again)).toBe(rate);
  expect(await follow(again)).toMatch(/^unavailable: checkpoint: /);
  await expectDegraded(again, /503/);
});

it('an edge that starts from a kept publication reads further files from the origin', async () => {
  await world.stop(await world.start());
  // The origin has nothing that is signed in time.
  world.hours = 49;
  const edge = await world.start();
  expect(await follow(edge)).toMatch(/^expired/);
  expect(await statusOf(edge, '/v2/rates?providers=NBU')).toBe(200);
});

it('an edge goes on with the last rates where nothing newer was signed in time', async () => {
  const edge = await world.start();
  world.hours = 49;
  await expectDegraded(edge, /^expired: /);
  expect((await fetch(`${edge.url}/v2/rates`)).status).toBe(200);
  await world.publish();
  expect(await follow(edge)).toBeUndefined();
  expect(await readiness(edge)).toMatchObject({ status: 'ready' });
});

it('an edge refuses an older publication, also after a restart', async () => {
  const older = `${world.folder}-older`;
  await cp(world.folder, older, { recursive: true });
  await world.publishNews();
  const edge = await world.start();
  world.served = older;
  expect(await follow(edge)).toMatch(/^(rollback|rolled-back): /);
  expect(await newsOf(edge)).toBe('10.5');
  await world.stop(edge);
  const again = await world.start();
  expect(await follow(again)).toMatch(/^(rollback|rolled-back): /);
  expect(await newsOf(again)).toBe('10.5');
  // The log is remembered even where the rates are lost.
  await world.stop(again);
  await rm(join(world.dataDir, 'publication', 'served-checkpoint'));
  const empty = await world.start();
  expect(await follow(empty)).toMatch(/^(rollback|rolled-back): /);
  expect(await readiness(empty)).toMatchObject({ code: 503 });
});

it('an edge refuses a log that is not the continuation of its own', async () => {
  const edge = await world.start();
  const rate = await rateOf(edge);
  const yen = publish('BOC', ['USD/JPY'], '2026-03-02', '2026-03-20');
  const other = await databaseWith([...someRates('2026-03-02'), ...yen]);
  onTestFinished(() => other.close());
  const fork = `${world.folder}-fork`;
  await world.publish(fork, other);
  world.hours = 25;
  await world.publish(fork, other);
  world.served = fork;
  expect(await follow(edge)).toMatch(/^fork: /);
  expect(await rateOf(edge)).toBe(rate);
});

it.each([
  ['blended', /^(hash|size|unavailable|missing): blended\/2026/],
  ['manifests', /^(hash|manifest): manifests\//],
  ['providers.json', /^(hash|size): providers\.json/],
  ['checkpoint', /^(signature|checkpoint): /],
  ['log/2026.ndjson', /^(log|record): log\/2026/],
])('an edge refuses a publication whose %s was changed', async (changed, fault) => {
  const edge = await world.start();
  const rate = await rateOf(edge);
  const old = new Set(await readdir(world.folder, { recursive: true }));
  await world.publishNews();
  for (const path of await readdir(world.folder, { recursive: true })) {
    const isNew = !old.has(path) && path.startsWith(`${changed}/`);
    if (!isNew && (path !== changed || path === 'blended' || path === 'manifests')) continue;
    const bytes = await readFile(join(world.folder, path));
    const middle = Math.floor(bytes.length / 2);
    bytes[middle] = (bytes[middle] ?? 0) ^ 1;
    await writeFile(join(world.folder, path), bytes);
  }
  expect(await follow(edge)).toMatch(fault);
  expect(await rateOf(edge)).toBe(rate);
  await expectDegraded(edge, fault);
});

it('an edge serves nothing that no key of its own has signed', async () => {
  const stranger = makeSigningKey(KEY.origin, new Uint8Array(32).fill(8));
  const edge = await world.start({ key: stranger.verifier.text });
  expect(edge.edge.publication.fault()).toMatch(/^signature: /);
  expect((await fetch(`${edge.url}/v2/rates`)).status).toBe(503);
  expect(await readiness(edge)).toMatchObject({ code: 503, publication: { version: null } });
});

it('an edge never mixes two publications in an answer', async () => {
  const edge = await world.start();
  const bodies = new Map<string | null, Set<string>>();
  const ask = async () => {
    const response = await fetch(`${edge.url}/v2/rates?from=2025-12-01&group=month&base=GBP`);
    const tag = response.headers.get('etag');
    bodies.set(tag, (bodies.get(tag) ?? new Set()).add(await response.text()));
  };
  await ask();
  await world.publishNews();
  let isFollowing = true;
  const following = follow(edge).finally(() => {
    isFollowing = false;
  });
  while (isFollowing) await Promise.all([ask(), ask(), ask(), ask()]);
  await following;
  await ask();
  expect(bodies.size).toBe(2);
  for (const [, found] of bodies) expect(found.size).toBe(1);
});

it('an edge has everything that needs no database, and no place for operators', async () => {
  const edge = await world.start();
  const pages = ['/', '/status', '/currencies', '/providers', '/provider/ECB', '/currency/CHF', '/docs'];
  const others = ['/no', '/health/live', '/metrics', '/openapi.json', '/random/hangman'];
  for (const path of [...pages, ...others]) expect([path, await statusOf(edge, path)]).toEqual([path, 200]);
  for (const path of ['/admin', '/admin/audit', '/admin/login'])
    expect([path, await statusOf(edge, path)]).toEqual([path, 404]);
  expect(JSON.parse(await textOf(edge, '/no')).reason.length).toBeGreaterThan(10);
  const named = { url: world.origin.url, origin: KEY.origin, keys: [KEY.verifier.text] };
  expect(JSON.parse(await textOf(edge, '/v2/publication'))).toEqual(named);
});

it('an edge names what it can not answer, and where that is answered', async () => {
  world.hours = 2;
  await world.storeNews();
  await publishInto(world.folder, world.database, world.clock(), { api: 'https://live.example.org' });
  const edge = await world.start();
  const rates = '/v2/rates?providers=ECB,BOC&as_of=2026-03-20T12:00:00Z&expand=quality';
  expect(await (await fetch(edge.url + rates)).json()).toMatchObject({
    message: expect.stringMatching(/publication.*: ask https:\/\/live\.example\.org$/),
    errors: [{ parameter: 'providers' }, { parameter: 'expand' }, { parameter: 'as_of' }],
  });
  for (const path of [rates, '/v2/revisions', '/v2/suspects.csv']) {
    const { status, headers } = await fetch(edge.url + path);
    const link = '<https://live.example.org>; rel="alternate"';
    expect([path, status, headers.get('link')]).toEqual([path, 501, link]);
  }
  expect((await fetch(`${edge.url}/v2/revisions?limit=x`)).status).toBe(422);
});

it('the configuration must name a key, and no database', () => {
  const open = (variables: Record<string, string>) => () => {
    const config = readConfig({ PUBLICATION_URL: '/nowhere', ...variables });
    openEdge({ config, clock: world.clock, log: undefined as never }, readBlended);
  };
  expect(open({})).toThrow(/^PUBLICATION_KEY: must be set/);
  expect(open({ PUBLICATION_KEY: 'x' })).toThrow(/^PUBLICATION_KEY: key: a public key is/);
  const both = { PUBLICATION_KEY: KEY.verifier.text, DATABASE_URL: 'postgres://x/y' };
  expect(open(both)).toThrow(/^PUBLICATION_URL: .* unset DATABASE_URL/);
});
