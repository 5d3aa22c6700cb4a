import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readConfig } from '../../../core/process/config.js';
import { type Feed, ratesFrom } from '../../../worker/feeds/feed.js';
import { openHttpClient } from '../../../worker/feeds/http/live-client.js';
import { loadFeed } from '../../../worker/feeds/registry.js';
import { examine, hasNoWayOut, pairAndDay } from '../../../worker/ingest/examine.js';
import { liveSource, openFeedSource } from '../../../worker/ingest/feed-source.js';
import { answer, type HttpStub, httpStub } from '../../support/http-stub.js';
import { recordBoc } from '../cli/recordings.js';

const now = new Date('2026-03-20T23:30:00Z');
const log = pino({ level: 'silent' });

let stub: HttpStub;
beforeEach(async () => {
  stub = await httpStub();
});
afterEach(() => stub.close());

/** A source of one rate of the day, at a path of the stub named after it. */
function feedOf(key: string, origin = stub.url): Feed {
  return {
    key,
    pauseMs: 0,
    async *read(window, { http }) {
      const response = await http.get(`${origin}/${key}`);
      yield ratesFrom(response, window, ['2026-03-20'], (date) => ({
        date,
        base: 'EUR',
        quote: 'USD',
        rate: Number(response.text()),
      }));
    },
  };
}

/** Sources at the stub, or at a port where nothing listens. */
function openSource(route?: string) {
  const http = openHttpClient({ limits: { attempts: 1 }, ...(route && { route: () => route }) });
  return liveSource(http, readConfig({}), () => now);
}

it('tells of each source in the order given, however long each takes, and counts them', async () => {
  const keys = ['NB', 'BOC', 'ECB'];
  stub.route('/NB', async (_, response) => {
    await new Promise((resolve) => setTimeout(resolve, 50));
    response.end('1.5');
  });
  stub.route('/ECB', answer('1.1'));
  const counts: number[] = [];
  const onExamined = (done: number) => counts.push(done);
  const source = openSource();
  const examinations = await examine(
    keys.map((key) => feedOf(key)),
    source,
    { now, log, onExamined },
  );
  await source.close();
  expect(examinations.map(({ provider, diagnosis, rows }) => [provider, diagnosis?.cause, rows])).toEqual([
    ['NB', undefined, 1],
    ['BOC', 'moved', undefined],
    ['ECB', undefined, 1],
  ]);
  expect(counts).toEqual([1, 2, 3]);
  expect(examinations[0]?.way).toMatchObject({ dns: 'ok', tcp: 'ok', tls: undefined, address: '127.0.0.1' });
});

it('asks eight at a time', async () => {
  const keys = 'AMCM BAM BANREP BBK BCB BCC BCEAO BCH BCN BCP BCRA BCT'.split(' ');
  let [open, most] = [0, 0];
  stub.route('*', async (_, response) => {
    most = Math.max(most, ++open);
    await new Promise((resolve) => setTimeout(resolve, 50));
    open--;
    response.end('1');
  });
  // One host is asked one thing at a time: each source has its own here.
  const { hostname, port } = new URL(stub.url);
  const http = openHttpClient({ address: () => ({ hostname, port }) });
  const source = liveSource(http, readConfig({}), () => now);
  const feeds = keys.map((key) => feedOf(key, `http://${key.toLowerCase()}.example`));
  await examine(feeds, source, { now, log });
  await source.close();
  expect([most, stub.requests.length]).toEqual([8, 12]);
});

it('compares with what is stored: the newest day, and rates of the same day and pair', async () => {
  stub.route('*', answer('1.1'));
  const rate = { date: '2026-03-20', base: 'EUR', quote: 'USD' };
  const rates = (value: number) => new Map([[pairAndDay(rate), value]]);
  const stored = new Map([
    ['ECB', { newest: '2026-03-20', rates: rates(1.2) }],
    ['BOC', { newest: '2026-03-20', rates: rates(1.1) }],
    ['NB', { newest: null, rates: new Map() }],
  ]);
  const source = openSource();
  const feeds = ['ECB', 'BOC', 'NB', 'CNB'].map((key) => feedOf(key));
  const examinations = await examine(feeds, source, { now, log, stored });
  await source.close();
  expect(examinations.map((one) => one.stored)).toEqual([
    { newest: '2026-03-20', differing: 1 },
    { newest: '2026-03-20', differing: 0 },
    { newest: null, differing: 0 },
    undefined,
  ]);
});

it('says that there is no way out where none of several can be connected to, and not of one alone', async () => {
  const nowhere = openSource('http://127.0.0.1:9');
  const keyed: Feed = { ...feedOf('FRED'), credentials: ['FRED_API_KEY'] };
  const feeds = [keyed, feedOf('ECB'), feedOf('BOC')];
  const examinations = await examine(feeds, nowhere, { now, log });
  await nowhere.close();
  expect(examinations.map(({ diagnosis }) => diagnosis?.cause)).toEqual(['needs_a_key', 'down', 'down']);
  expect(hasNoWayOut(examinations)).toBe(true);
  expect(hasNoWayOut(examinations.slice(0, 2))).toBe(false);
  stub.route('/BOC', answer('1'));
  const source = openSource();
  const [fine] = await examine([feedOf('BOC')], source, { now, log });
  await source.close();
  expect(hasNoWayOut([...examinations, ...(fine ? [fine] : [])])).toBe(false);
});

it('knows a firewall that breaks off every handshake', async () => {
  const firewall = createServer((socket) => socket.once('data', () => socket.resetAndDestroy()));
  firewall.listen(0, '127.0.0.1');
  await once(firewall, 'listening');
  const port = String((firewall.address() as AddressInfo).port);
  const address = () => ({ hostname: '127.0.0.1', port });
  const http = openHttpClient({ address, limits: { attempts: 1 } });
  const source = liveSource(http, readConfig({}), () => now);
  const feeds = ['ECB', 'BOC'].map((key) => feedOf(key, `https://${key.toLowerCase()}.example`));
  const examinations = await examine(feeds, source, { now, log });
  await source.close();
  firewall.close();
  expect(examinations).toMatchObject([
    { diagnosis: { cause: 'down' } },
    { way: { tcp: 'ok', tls: 'failed' } },
  ]);
  expect(hasNoWayOut(examinations)).toBe(true);
});

it('leaves out what was not done when it is stopped', async () => {
  const stopping = new AbortController();
  stub.route('/ECB', answer('1.1'));
  stub.route('/BOC', () => stopping.abort());
  const http = openHttpClient({ signal: stopping.signal });
  const source = liveSource(http, readConfig({}), () => now);
  const options = { now, log, stopping: stopping.signal };
  const examinations = await examine([feedOf('ECB'), feedOf('BOC')], source, options);
  await source.close();
  expect(examinations.map(({ provider }) => provider)).toEqual(['ECB']);
});

it('reads recordings over their own days, by which nothing is late, and tells of no connection', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'almanac-examine-'));
  try {
    await recordBoc(folder);
    const source = await openFeedSource(readConfig({ FEEDS_FROM: folder }), () => now);
    const feeds = [await loadFeed('BOC'), await loadFeed('ECB')];
    const examinations = await examine(feeds, source, { now, log });
    expect(examinations).toMatchObject([
      { diagnosis: undefined, rows: 4, newest: '2026-03-03', status: 200, way: {} },
      { diagnosis: { cause: 'other' }, rows: undefined, requests: 0 },
    ]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
