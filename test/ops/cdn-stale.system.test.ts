import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type CdnServer, cdnServersMissing, startNginx, startVarnish } from '../support/cdn-servers.js';
import { type HttpStub, httpStub } from '../support/http-stub.js';

const PATH = '/v2/rates';
const soon = { timeout: 60_000, interval: 50 };
/** Fresh for a second, then stale for some more while it is fetched again. */
const life = (stale: number) => `public, max-age=1, stale-while-revalidate=${stale}, stale-if-error=86400`;

const SERVERS = [
  { name: 'Varnish', start: (origin: string, stale: number) => startVarnish(origin, `${stale}s`) },
  { name: 'nginx', start: startNginx },
];

describe.skipIf(cdnServersMissing)('while the API', () => {
  describe.each(SERVERS)('behind $name', ({ start }) => {
    let origin: HttpStub;
    let cdn: CdnServer;
    let [status, body, stale] = [200, 'first', 0];

    async function open(seconds: number) {
      stale = seconds;
      cdn = await start(origin.url, seconds);
      expect(await get()).toEqual({ status: 200, body: 'first' });
    }

    beforeEach(async () => {
      [status, body] = [200, 'first'];
      origin = await httpStub({
        [PATH]: (_request, response) => {
          const caching = status === 200 ? life(stale) : 'no-store';
          const headers = { 'cache-control': caching, etag: `"${body}"`, 'content-type': 'text/plain' };
          response.writeHead(status, headers).end(status === 200 ? body : 'failed');
        },
        '/health/ready': (_request, response) => void response.writeHead(200).end(),
      });
    });
    afterEach(async () => {
      await cdn.close();
      await origin.close();
    });

    const asked = () => origin.requests.filter(({ path }) => path === PATH).length;
    async function get() {
      const response = await fetch(cdn.url + PATH);
      return { status: response.status, body: await response.text() };
    }

    test('works, an answer is used again, then fetched again without a client that waits', async () => {
      await open(60);
      expect(await get()).toEqual({ status: 200, body: 'first' });
      expect(asked()).toBe(1);
      body = 'second';
      await sleep(2_200);
      expect(await get()).toMatchObject({ status: 200, body: 'first' });
      await vi.waitFor(async () => expect(await get()).toMatchObject({ body: 'second' }), soon);
    });

    test('fails when it is asked in the background, the answer stays', async () => {
      await open(60);
      [status, body] = [503, 'second'];
      await sleep(2_200);
      const served = new Set<string>();
      await vi.waitFor(async () => {
        const got = await get();
        served.add(`${got.status} ${got.body}`);
        expect(asked()).toBeGreaterThan(3);
      }, soon);
      expect([...served]).toEqual(['200 first']);
      status = 200;
      await vi.waitFor(async () => expect(await get()).toMatchObject({ body: 'second' }), soon);
    });

    test('fails, or is away, what is older than may be is served rather than an error', async () => {
      await open(0);
      status = 500;
      await sleep(2_200);
      expect(await get()).toMatchObject({ status: 200, body: 'first' });
      await origin.close();
      for (let times = 0; times < 3; times++)
        expect(await get()).toMatchObject({ status: 200, body: 'first' });
      expect((await fetch(`${cdn.url}/v2/never-asked`)).status).toBeGreaterThanOrEqual(500);
      expect(await get()).toMatchObject({ status: 200, body: 'first' });
    });

    test('is back, what it answers then is served', async () => {
      await open(0);
      status = 503;
      await sleep(2_200);
      expect(await get()).toMatchObject({ body: 'first' });
      [status, body] = [200, 'second'];
      await vi.waitFor(async () => expect(await get()).toMatchObject({ body: 'second' }), soon);
    });
  });
});
