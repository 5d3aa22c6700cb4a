import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { startApi, type TestApi } from '../support/api.js';
import { type CdnServer, cdnServersMissing, startNginx, startVarnish } from '../support/cdn-servers.js';
import type { TestDatabase } from '../support/postgres.js';
import { propertyRuns } from '../support/property-runs.js';
import { databaseWith, publish, someRates, storeRows } from '../support/rates.js';

const AFTERNOON = '2026-03-20T16:00:00Z';
const LONG_AGO = '/v2/rates?from=1999-03-01&to=1999-03-31';
const HOST = 'rates.example.org';
const soon = { timeout: 30_000, interval: 100 };

/** Varnish keeps one form of an answer, nginx one for each coding. */
const SERVERS = [
  { name: 'Varnish', start: startVarnish, forms: 1 },
  { name: 'nginx', start: startNginx, forms: 3 },
];

interface Got {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
}

/** The answer as it is sent, which `fetch` would decompress. */
function get(url: string, headers: Record<string, string> = {}) {
  return new Promise<Got>((resolve, reject) => {
    const options = { headers: { host: HOST, ...headers }, agent: false };
    const sent = request(url, options, async (response) => {
      const { statusCode: status = 0, headers: got } = response;
      resolve({ status, headers: got, bytes: await buffer(response) });
    });
    sent.on('error', reject).end();
  });
}

function textOf({ headers, bytes }: Got): string {
  const coding = headers['content-encoding'];
  if (coding === 'br') return String(brotliDecompressSync(bytes));
  return String(coding === 'gzip' ? gunzipSync(bytes) : bytes);
}

/** A proxy in front of a server, to see what reaches it, to change what it answers, and to take it away. */
async function watchedProxy(origin: string) {
  const passed: { target: string; status: number; isConditional: boolean }[] = [];
  const { hostname, port } = new URL(origin);
  const server = createServer(({ url: path = '/', method, headers }, response) => {
    const forwarded = request({ hostname, port, path, method, headers, agent: false }, (answer) => {
      const { statusCode: status = 0, headers: answered } = answer;
      passed.push({ target: path, status, isConditional: headers['if-none-match'] !== undefined });
      proxy.change?.(answered);
      response.writeHead(status, answered);
      answer.pipe(response);
    });
    forwarded.on('error', () => response.destroy()).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const proxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    passed,
    change: undefined as ((headers: IncomingHttpHeaders) => void) | undefined,
    async close(): Promise<void> {
      if (!server.listening) return;
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
  return proxy;
}

describe.skipIf(cdnServersMissing)('the API', () => {
  describe.each(SERVERS)('behind $name', ({ name, start, forms }) => {
    let database: TestDatabase;
    let api: TestApi;
    let origin: Awaited<ReturnType<typeof watchedProxy>>;
    let cdn: CdnServer;
    let now = AFTERNOON;

    beforeAll(async () => {
      const in1999 = publish('ECB', ['EUR/USD', 'EUR/GBP'], '1999-02-01', '1999-04-30');
      database = await databaseWith([...someRates(), ...in1999]);
      const variables = { RATE_LIMITS: 'currency=0' };
      api = await startApi(database, { clock: () => new Date(now), variables });
      origin = await watchedProxy(api.url);
      cdn = await start(origin.url);
    });
    afterAll(async () => {
      await cdn?.close();
      await origin?.close();
      await api?.close();
      await database?.close();
    });
    beforeEach(() => {
      now = AFTERNOON;
      origin.change = undefined;
      origin.passed.length = 0;
    });

    const isHit = ({ headers }: Got) => /hit/i.test(String(headers['cache-status']));
    const asked = (target: string) => origin.passed.filter((each) => each.target === target);

    test('repeated requests are answered without the API', async () => {
      const days = Array.from({ length: 20 }, (_, day) => `date=2026-02-${String(day + 1).padStart(2, '0')}`);
      const parameters = ['base=EUR', 'base=USD'].flatMap((base) => days.map((day) => [base, day]));
      const clients = [
        {},
        { accept: '*/*', 'accept-encoding': 'gzip, deflate, br' },
        { accept: 'application/json', 'accept-encoding': 'gzip' },
        { accept: '*/*', 'accept-encoding': 'identity' },
      ];
      let hits = 0;
      const some = fc.tuple(fc.constantFrom(...parameters), fc.constantFrom(...clients));
      for (const [query, headers] of fc.sample(some, 1_000)) {
        const got = await get(`${cdn.url}/v2/rates?${query.join('&')}`, headers);
        expect(got.status).toBe(200);
        if (isHit(got)) hits++;
      }
      expect(hits).toBeGreaterThanOrEqual(1_000 - 40 * forms);
      expect(origin.passed.length).toBeLessThanOrEqual(1_000 - hits + 5);
    });

    test('no client gets the format or the coding of another', async () => {
      const paths = ['/v2/rates', '/v2/rates.csv', '/v2/rates.ndjson', '/v2/rates.json', '/v2/revisions'];
      const pairs = ['/v2/rate/EUR/USD', '/v2/rate/EUR/USD.txt', '/v2/convert/EUR/USD', '/v1/latest', '/'];
      const types = ['application/json', 'text/csv', 'application/x-ndjson', 'text/html', '*/*', 'text/*'];
      const quality = fc.constantFrom('', ';q=0', ';q=0.5', ';q=1.0');
      const list = (words: readonly string[]) => {
        const word = fc.tuple(fc.constantFrom(...words), quality);
        const some = fc.uniqueArray(word, { selector: ([name]) => name, maxLength: 4 });
        return some.map((parts) => parts.map((part) => part.join('')).join(', '));
      };
      const header = (words: readonly string[]) => fc.option(list(words), { nil: undefined });
      const codings = ['gzip', 'br', 'identity', 'deflate', '*'];
      const compare = async (path: string, accept: string | undefined, coding: string | undefined) => {
        const headers = {
          ...(accept !== undefined && { accept }),
          ...(coding !== undefined && { 'accept-encoding': coding }),
        };
        const target = path.startsWith('/v2/convert') ? `${path}?amount=10` : path;
        const direct = await get(api.url + target, headers);
        // The second one is of what the first one has left, or others before it.
        for (let times = 0; times < 2; times++) {
          const got = await get(cdn.url + target, headers);
          const seen = ({ status, headers: { 'content-type': type } }: Got) => [status, type];
          expect([...seen(got), textOf(got)]).toEqual([...seen(direct), textOf(direct)]);
          const sent = got.headers['content-encoding'] ?? 'identity';
          if (sent === 'identity') continue;
          expect(coding).toMatch(new RegExp(`(^|[ ,])(${sent}|\\*)(;q=(0\\.5|1\\.0))?(,|$)`));
          expect(coding).not.toMatch(new RegExp(`(^|[ ,])${sent};q=0(,|$)`));
        }
      };
      const path = fc.constantFrom(...paths, ...pairs);
      await fc.assert(fc.asyncProperty(path, header(types), header(codings), compare), propertyRuns(150));
    });

    test("a range of 1999 keeps its tag when today's rates come, and is fetched again by it", async () => {
      // Here an answer expires after a second.
      origin.change = (headers) => {
        headers['cache-control'] = String(headers['cache-control']).replace(/max-age=\d+/, 'max-age=1');
      };
      const headers = { 'accept-encoding': 'gzip' };
      const first = await get(cdn.url + LONG_AGO, headers);
      expect(first.status).toBe(200);
      expect(asked(LONG_AGO)).toEqual([{ target: LONG_AGO, status: 200, isConditional: false }]);

      await storeRows(database, publish('ECB', ['EUR/USD'], '2026-03-20', '2026-03-20', { times: 1.001 }));
      await api.catchUp();
      await sleep(2_200);
      await get(cdn.url + LONG_AGO, headers);
      await vi.waitFor(() => expect(asked(LONG_AGO)).toHaveLength(2), soon);
      expect(asked(LONG_AGO)[1]).toEqual({ target: LONG_AGO, status: 304, isConditional: true });
      await vi.waitFor(async () => {
        const again = await get(cdn.url + LONG_AGO, headers);
        expect([again.headers.etag, textOf(again)]).toEqual([first.headers.etag, textOf(first)]);
        expect(isHit(again)).toBe(true);
      }, soon);
    });

    test('a client has to ask again at midnight', async () => {
      now = '2026-03-20T23:59:30Z';
      const target = `${cdn.url}/v2/rates?quotes=GBP`;
      await get(target);
      const { headers } = await get(target);
      const [, seconds] = /^public, max-age=(\d+), stale/.exec(String(headers['cache-control'])) ?? [];
      expect(Number(seconds)).toBeLessThanOrEqual(30);
    });

    test('the newest rates are there while the API is not, also on the next day', async () => {
      now = '2026-03-20T23:59:58Z';
      const target = '/v2/rates?quotes=USD,GBP,JPY';
      const first = await get(cdn.url + target);
      expect(first.status).toBe(200);
      await origin.close();
      now = '2026-03-21T00:00:05Z';
      await sleep(3_200);
      for (let times = 0; times < 3; times++) {
        const got = await get(cdn.url + target);
        expect([name, got.status, textOf(got)]).toEqual([name, 200, textOf(first)]);
      }
    });
  });
});
