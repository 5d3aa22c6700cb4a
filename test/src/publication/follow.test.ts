import { hash } from 'node:crypto';
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { withPrisma } from '../../../core/database/database.js';
import { readConfig } from '../../../core/process/config.js';
import { makeSigningKey } from '../../../core/publication/keys.js';
import { openEdge } from '../../../src/from-publication.js';
import { readBlended } from '../../../src/rates/published/read-blended.js';
import { dyingAfter } from '../../support/dying-disk.js';
import { KEY, publishInto, startEdge, type TestEdge, temporaryFolder } from '../../support/edge.js';
import { type HttpStub, httpStub } from '../../support/http-stub.js';
import type { TestDatabase } from '../../support/postgres.js';
import { databaseWith, publish, someRates, storeRows } from '../../support/rates.js';

/** Currencies that have no rates. */
const OTHERS =
  'SEK NOK PLN CZK HUF RON ISK TRY RSD MKD ALL MDL GEL AMD AZN KZT KGS UZS TJS MNT INR PKR LKR BDT THB VND IDR'.split(
    ' ',
  );
const START = Date.parse('2026-03-20T17:00:00.000Z');
const HOUR_MS = 3_600_000;

let database: TestDatabase;
let origin: HttpStub;
/** What the origin serves; nothing where it is undefined. */
let served: string | undefined;
let folder: string;
let dataDir: string;
let hours: number;
let closings: (() => Promise<unknown>)[];
const running = new Set<TestEdge>();

const clock = () => new Date(START + hours * HOUR_MS);
const publishNow = (into = folder, from = database) => publishInto(into, from, clock());

beforeEach(async () => {
  [closings, hours] = [[], 0];
  database = await databaseWith(someRates('2025-12-01'));
  const [published, kept] = [await temporaryFolder(), await temporaryFolder()];
  [folder, dataDir] = [join(published.path, 'rates'), kept.path];
  served = folder;
  origin = await httpStub({
    '*': async ({ path, headers }, response) => {
      const bytes = served && (await readFile(join(served, path)).catch(() => undefined));
      if (!bytes) return void response.writeHead(served ? 404 : 503).end();
      const etag = `"${hash('sha256', bytes).slice(0, 16)}"`;
      if (headers['if-none-match'] === etag) response.writeHead(304, { etag }).end();
      else response.writeHead(200, { etag }).end(bytes);
    },
  });
  closings.push(
    () => database.close(),
    published.close,
    kept.close,
    () => origin.close(),
  );
  await publishNow();
});
afterEach(async () => {
  for (const edge of running) await stop(edge);
  for (const close of closings.reverse()) await close();
});

async function start(options: Partial<Parameters<typeof startEdge>[1]> = {}): Promise<TestEdge> {
  const edge = await startEdge(origin.url, { clock, dataDir, ...options });
  running.add(edge);
  return edge;
}

async function stop(edge: TestEdge): Promise<void> {
  running.delete(edge);
  await edge.close();
}

/** Looks for a newer publication, and gives what is said to be wrong with it. */
async function follow({ edge }: TestEdge): Promise<string | undefined> {
  await edge.publication.catchUp().catch(() => undefined);
  return edge.publication.fault();
}

/** Stores a rate of a currency that had none: 10.5 crowns a dollar. */
const storeNews = () =>
  storeRows(database, [{ provider: 'BOC', date: '2026-03-20', base: 'USD', quote: 'SEK', rate: 10.5 }]);
/** What is served of it: the rate, or that there is none. */
const newsOf = async ({ url }: TestEdge) =>
  (await fetch(`${url}/v2/rate/USD/SEK.txt?date=2026-03-20`)).text();
const rateOf = async ({ url }: TestEdge) =>
  (await fetch(`${url}/v2/rate/EUR/USD.txt?date=2026-03-20`)).text();
const readiness = async ({ url }: TestEdge) => {
  const response = await fetch(`${url}/health/ready`);
  return { code: response.status, ...((await response.json()) as { status: string; publication: object }) };
};

describe('an edge', () => {
  it('fetches what is new, and nothing where nothing is', async () => {
    const edge = await start();
    expect(await newsOf(edge)).toContain('404');
    origin.requests.length = 0;
    expect(await follow(edge)).toBeUndefined();
    expect(origin.requests.map(({ path }) => path)).toEqual(['/latest.tlog-proof']);
    hours = 2;
    await storeNews();
    await publishNow();
    origin.requests.length = 0;
    // Of years that have not changed, not even what is kept is read again.
    await rm(join(dataDir, 'publication', 'blended'), { recursive: true });
    expect(await follow(edge)).toBeUndefined();
    const paths = origin.requests.map(({ path }) => path);
    expect(paths.filter((path) => path.startsWith('/blended/'))).toEqual([
      expect.stringMatching(/^\/blended\/2026\./),
    ]);
    expect(await newsOf(edge)).toBe('10.5');
    expect(await readiness(edge)).toMatchObject({ code: 200, status: 'ready', publication: { fault: null } });
  });

  it('reads the files of a provider when it is first asked for', async () => {
    const edge = await start();
    const ask = () =>
      fetch(`${edge.url}/v2/rates?providers=BOC&quotes=CAD`).then((response) => response.text());
    const observed = () => origin.requests.filter(({ path }) => path.startsWith('/observations/'));
    expect(observed()).toEqual([]);
    const first = await ask();
    const count = observed().length;
    expect(count).toBeGreaterThan(0);
    expect(await ask()).toBe(first);
    expect(observed()).toHaveLength(count);
    served = undefined;
    expect(await ask()).toBe(first);
    expect((await fetch(`${edge.url}/v2/rates?providers=NBU`)).status).toBe(503);
  });

  it('tells the reason for which a rate is held back now, of the same row', async () => {
    const [row] = someRates('2026-03-20').filter(({ base, quote }) => `${base}/${quote}` === 'USD/CAD');
    if (!row) throw new Error('there is no such rate');
    await storeRows(database, [{ ...row, rate: row.rate * 10 }]);
    await publishNow();
    const edge = await start();
    const ask = async () => (await fetch(`${edge.url}/v2/providers/BOC/rate/USD/CAD?date=2026-03-20`)).json();
    expect(await ask()).toMatchObject({ suspect: true, reason: 'factor_of_ten' });
    hours = 2;
    await storeRows(database, [
      { provider: 'NBU', date: '2026-03-20', base: 'USD', quote: 'SEK', rate: 10.5 },
    ]);
    await withPrisma(database, (prisma) => prisma.$executeRaw`update suspects set reason = 'jump'`);
    await publishNow();
    expect(await follow(edge)).toBeUndefined();
    expect(await ask()).toMatchObject({ suspect: true, reason: 'jump' });
  });

  it('does not serve a source that is left out now, though the data version is the same', async () => {
    const edge = await start();
    const ask = async () => (await fetch(`${edge.url}/v2/rates?providers=NBU&quotes=UAH`)).status;
    // A reply is stored once its request has come again.
    for (let time = 0; time < 3; time++) expect(await ask()).toBe(200);
    hours = 2;
    await publishInto(folder, database, clock(), { omit: ['NBU'] });
    expect(await follow(edge)).toBeUndefined();
    expect(await ask()).toBe(501);
  });

  it('starts from what it has kept while the origin is away, also expired, and says so', async () => {
    const first = await start();
    const rate = await rateOf(first);
    await stop(first);
    served = undefined;
    hours = 60;
    const again = await start();
    expect(await rateOf(again)).toBe(rate);
    expect(await follow(again)).toMatch(/^unavailable: latest.tlog-proof: /);
    expect(await readiness(again)).toMatchObject({
      code: 200,
      status: 'degraded',
      publication: { fault: expect.stringContaining('503') },
    });
  });

  it('goes on with the last rates where nothing newer was signed in time', async () => {
    const edge = await start();
    hours = 49;
    expect(await readiness(edge)).toMatchObject({
      code: 200,
      status: 'degraded',
      publication: { fault: expect.stringMatching(/^expired: /) },
    });
    expect((await fetch(`${edge.url}/v2/rates`)).status).toBe(200);
    await publishNow();
    expect(await follow(edge)).toBeUndefined();
    expect(await readiness(edge)).toMatchObject({ status: 'ready' });
  });

  it('refuses an older publication, also after a restart', async () => {
    const older = `${folder}-older`;
    await cp(folder, older, { recursive: true });
    hours = 2;
    await storeNews();
    await publishNow();
    const edge = await start();
    served = older;
    expect(await follow(edge)).toMatch(/^(rollback|rolled-back): /);
    expect(await newsOf(edge)).toBe('10.5');
    await stop(edge);
    const again = await start();
    expect(await follow(again)).toMatch(/^(rollback|rolled-back): /);
    expect(await newsOf(again)).toBe('10.5');
    // The log is remembered even where the rates are lost.
    await stop(again);
    await rm(join(dataDir, 'publication', 'latest.tlog-proof'));
    const empty = await start();
    expect(await follow(empty)).toMatch(/^(rollback|rolled-back): /);
    expect(await readiness(empty)).toMatchObject({ code: 503 });
  });

  it('refuses a log that is not the continuation of its own', async () => {
    const edge = await start();
    const rate = await rateOf(edge);
    const other = await databaseWith([
      ...someRates('2026-03-02'),
      ...publish('BOC', ['USD/JPY'], '2026-03-02', '2026-03-20'),
    ]);
    closings.push(() => other.close());
    const fork = `${folder}-fork`;
    await publishNow(fork, other);
    hours = 25;
    await publishNow(fork, other);
    served = fork;
    expect(await follow(edge)).toMatch(/^fork: /);
    expect(await rateOf(edge)).toBe(rate);
  });

  it.each([
    ['blended', /^(hash|size|unavailable|missing): blended\/2026/],
    ['manifests', /^(hash|manifest): manifests\//],
    ['providers.json', /^(hash|size): providers\.json/],
    ['latest.tlog-proof', /^(signature|proof|checkpoint|record): /],
  ])('refuses a publication whose %s was changed', async (changed, fault) => {
    const edge = await start();
    const rate = await rateOf(edge);
    const old = new Set(await readdir(folder, { recursive: true }));
    hours = 2;
    await storeNews();
    await publishNow();
    for (const path of await readdir(folder, { recursive: true })) {
      const isNew = !old.has(path) && path.startsWith(`${changed}/`);
      if (!isNew && (path !== changed || !path.includes('.'))) continue;
      const bytes = await readFile(join(folder, path));
      const middle = Math.floor(bytes.length / 2);
      bytes[middle] = (bytes[middle] ?? 0) ^ 1;
      await writeFile(join(folder, path), bytes);
    }
    expect(await follow(edge)).toMatch(fault);
    expect(await rateOf(edge)).toBe(rate);
    expect(await readiness(edge)).toMatchObject({
      code: 200,
      status: 'degraded',
      publication: { fault: expect.stringMatching(fault) },
    });
  });

  it('starts from what a killed publisher has left, and follows it', { timeout: 120_000 }, async () => {
    const following = await start();
    const served = new Set<string>();
    let survived = false;
    // The first steps write what has a name of its own.
    for (let steps = 18; !survived; steps++) {
      hours = steps / 100;
      // Of a currency that is new, so that its copies in `currencies.json` and `providers.json` change.
      const quote = OTHERS[steps - 18] ?? '';
      await storeRows(database, [{ provider: 'BOC', date: '2026-03-20', base: 'USD', quote, rate: 10.5 }]);
      survived = await publishInto(folder, database, clock(), { disk: dyingAfter(steps) }).then(
        () => true,
        () => false,
      );
      const edge = await startEdge([origin.url, folder][steps % 2] ?? '', {
        clock,
        dataDir: join(dataDir, String(steps)),
      });
      running.add(edge);
      expect([steps, edge.edge.publication.fault()]).toEqual([steps, undefined]);
      const asked = await fetch(`${edge.url}/v2/rate/USD/${quote}.txt?date=2026-03-20`);
      served.add(survived ? 'newest' : `${asked.status}`);
      expect([steps, await follow(edge), await follow(following)]).toEqual([steps, undefined, undefined]);
      await stop(edge);
      await publishNow();
      expect([steps, await follow(following)]).toEqual([steps, undefined]);
    }
    expect(served).toEqual(new Set(['404', '200', 'newest']));
  });

  it('serves nothing that no key of its own has signed', async () => {
    const stranger = makeSigningKey(KEY.origin, new Uint8Array(32).fill(8));
    const edge = await start({ key: stranger.verifier.text });
    expect(edge.edge.publication.fault()).toMatch(/^signature: /);
    expect((await fetch(`${edge.url}/v2/rates`)).status).toBe(503);
    expect(await readiness(edge)).toMatchObject({ code: 503, publication: { version: null } });
  });

  it('never mixes two publications in an answer', async () => {
    const edge = await start();
    const asked = `${edge.url}/v2/rates?from=2025-12-01&group=month&base=GBP`;
    const bodies = new Map<string | null, Set<string>>();
    const ask = async () => {
      const response = await fetch(asked);
      const tag = response.headers.get('etag');
      bodies.set(tag, (bodies.get(tag) ?? new Set()).add(await response.text()));
    };
    await ask();
    hours = 2;
    await storeNews();
    await publishNow();
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

  it('has everything that needs no database, and no place for operators', async () => {
    const edge = await start();
    const statusOf = async (path: string) => (await fetch(edge.url + path)).status;
    for (const path of [
      '/',
      '/no',
      '/health/live',
      '/metrics',
      '/status',
      '/currencies',
      '/providers',
      '/provider/ECB',
      '/currency/CHF',
      '/docs',
      '/openapi.json',
      '/random/hangman',
    ])
      expect([path, await statusOf(path)]).toEqual([path, 200]);
    for (const path of ['/admin', '/admin/audit', '/admin/login'])
      expect([path, await statusOf(path)]).toEqual([path, 404]);
    const { reason } = (await (await fetch(`${edge.url}/no`)).json()) as { reason: string };
    expect(reason.length).toBeGreaterThan(10);
    expect(await (await fetch(`${edge.url}/v2/publication`)).json()).toEqual({
      url: origin.url,
      origin: KEY.origin,
      keys: [KEY.verifier.text],
    });
  });

  it('names what it can not answer, and where that is answered', async () => {
    hours = 2;
    await storeNews();
    await publishInto(folder, database, clock(), { api: 'https://live.example.org' });
    const edge = await start();
    const response = await fetch(
      `${edge.url}/v2/rates?providers=ECB,BOC&as_of=2026-03-20T12:00:00Z&expand=quality`,
    );
    expect(response.status).toBe(501);
    expect(response.headers.get('link')).toBe('<https://live.example.org>; rel="alternate"');
    const { message, errors } = (await response.json()) as {
      message: string;
      errors: { parameter: string }[];
    };
    expect(errors.map(({ parameter }) => parameter)).toEqual(['providers', 'expand', 'as_of']);
    expect(message).toMatch(/publication.*: ask https:\/\/live\.example\.org$/);
    for (const path of ['/v2/revisions', '/v2/suspects.csv', '/corrections.atom']) {
      const refused = await fetch(edge.url + path);
      expect([path, refused.status, refused.headers.get('link')]).toEqual([
        path,
        501,
        '<https://live.example.org>; rel="alternate"',
      ]);
    }
    expect((await fetch(`${edge.url}/v2/revisions?limit=x`)).status).toBe(422);
  });
});

describe('the configuration', () => {
  const open = (variables: Record<string, string>) => () =>
    openEdge(
      { config: readConfig({ PUBLICATION_URL: folder, ...variables }), clock, log: undefined as never },
      readBlended,
    );

  it('must name a key, and no database', () => {
    expect(open({})).toThrow(/^PUBLICATION_KEY: must be set/);
    expect(open({ PUBLICATION_KEY: 'x' })).toThrow(/^PUBLICATION_KEY: key: a public key is/);
    expect(open({ PUBLICATION_KEY: KEY.verifier.text, DATABASE_URL: 'postgres://x/y' })).toThrow(
      /^PUBLICATION_URL and DATABASE_URL/,
    );
  });
});
