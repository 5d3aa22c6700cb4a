import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import pino from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readConfig } from '../../../core/process/config.js';
import { type Feed, ratesFrom } from '../../../worker/feeds/feed.js';
import { openHttpClient } from '../../../worker/feeds/http/live-client.js';
import { examine, outageIn } from '../../../worker/ingest/examine.js';
import { liveSource } from '../../../worker/ingest/feed-source.js';
import { answer, type HttpStub, httpStub } from '../../support/http-stub.js';
import { listening } from '../feeds/http/servers.js';
import { dollars } from './support.js';

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
      yield ratesFrom(response, window, [dollars('2026-03-20', Number(response.text()))], (row) => row);
    },
  };
}

/** Examines sources over a client that tries once. */
async function examined(
  feeds: readonly Feed[],
  client: Parameters<typeof openHttpClient>[0] = {},
  more: Partial<Parameters<typeof examine>[2]> = {},
) {
  const http = openHttpClient({ limits: { attempts: 1 }, ...client });
  const source = liveSource(http, readConfig({}), () => now);
  return examine(feeds, source, { now, log, ...more }).finally(() => source.close());
}

it('reports each source in the order given, however long each takes, and counts them', async () => {
  stub.route('/NB', async (_, response) => {
    await delay(50);
    response.end('1.5');
  });
  stub.route('/ECB', answer('1.1'));
  const counts: number[] = [];
  const onExamined = (done: number) => counts.push(done);
  const feeds = ['NB', 'BOC', 'ECB'].map((key) => feedOf(key));
  const found = (await examined(feeds, {}, { onExamined })).map(
    ({ provider, diagnosis, rows }) => `${provider} ${diagnosis?.cause ?? rows}`,
  );
  expect(found).toEqual(['NB 1', 'BOC moved', 'ECB 1']);
  expect(counts).toEqual([1, 2, 3]);
});

it('asks eight at a time', async () => {
  const keys = 'AMCM BAM BANREP BBK BCB BCC BCEAO BCH BCN BCP BCRA BCT'.split(' ');
  let [open, most] = [0, 0];
  stub.route('*', async (_, response) => {
    most = Math.max(most, ++open);
    await delay(50);
    open--;
    response.end('1');
  });
  // One host is asked one thing at a time: each source has its own here.
  const { hostname, port } = new URL(stub.url);
  const feeds = keys.map((key) => feedOf(key, `http://${key.toLowerCase()}.example`));
  await examined(feeds, { address: () => ({ hostname, port }) });
  expect([most, stub.requests.length]).toEqual([8, 12]);
});

it('finds that there is no way out where none of several can be connected to, and not of one alone', async () => {
  const keyed: Feed = { ...feedOf('FRED'), credentials: ['FRED_API_KEY'] };
  const nowhere = { address: () => new URL('http://127.0.0.1:9') };
  const examinations = await examined([keyed, feedOf('ECB'), feedOf('BOC')], nowhere);
  expect(examinations.map(({ diagnosis }) => diagnosis?.cause)).toEqual(['needs_a_key', 'down', 'down']);
  expect(outageIn(examinations)).toEqual({ keys: ['ECB', 'BOC'], cause: 'connection' });
  expect(outageIn(examinations.slice(0, 2))).toBeUndefined();
  stub.route('/BOC', answer('1'));
  expect(outageIn([...examinations, ...(await examined([feedOf('BOC')]))])).toBeUndefined();
});

it('recognizes a firewall that breaks off every handshake', async () => {
  const firewall = createServer((socket) => socket.once('data', () => socket.resetAndDestroy()));
  const port = String(await listening(firewall));
  const feeds = ['ECB', 'BOC'].map((key) => feedOf(key, `https://${key.toLowerCase()}.example`));
  const examinations = await examined(feeds, { address: () => ({ hostname: '127.0.0.1', port }) });
  const broken = { diagnosis: { cause: 'down' } };
  expect(examinations).toMatchObject([broken, broken]);
  expect(outageIn(examinations)?.cause).toBe('connection');
});

it('leaves out what was not done when it is stopped', async () => {
  const stopping = new AbortController();
  stub.route('/ECB', answer('1.1'));
  stub.route('/BOC', () => stopping.abort());
  const { signal } = stopping;
  const examinations = await examined([feedOf('ECB'), feedOf('BOC')], { signal }, { stopping: signal });
  expect(examinations.map(({ provider }) => provider)).toEqual(['ECB']);
});
