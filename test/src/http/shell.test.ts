import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startApi, type TestApi } from '../../support/api.js';
import { publish } from '../../support/coverage.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

let database: TestDatabase;
let api: TestApi;

beforeAll(async () => {
  database = await testDatabase();
  await publish(database, [['ECB', 'EUR', '1999-01-04', '2026-03-18']]);
  api = await startApi(database);
});

afterAll(async () => {
  await api?.close();
  await database?.close();
});

const call = (path: string, init: RequestInit = {}) => fetch(`${api.url}${path}`, init);

/** A request whose target and headers go out as they are. */
async function raw(method: string, path: string, headers: Record<string, string> = {}) {
  const { hostname, port } = new URL(api.url);
  const response = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
    httpRequest({ hostname, port, method, path, headers, agent: false }, resolve).on('error', reject).end();
  });
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return { status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) };
}

/** What the server says on a bare connection that sends this. */
async function bare(sent: string): Promise<string> {
  const { hostname, port } = new URL(api.url);
  const socket = connect(Number(port), hostname);
  socket.write(sent);
  return text(socket);
}

it('compresses nothing that must not be cached, as what it holds may be secret', async () => {
  const headers = { 'accept-encoding': 'br, gzip' };
  const [metrics, document] = [
    await raw('GET', '/metrics', headers),
    await raw('GET', '/openapi.json', headers),
  ];
  expect(metrics.body.length).toBeGreaterThan(4_096);
  expect(metrics.headers['content-encoding']).toBeUndefined();
  expect(document.headers['content-encoding']).toBe('br');
});

describe('errors', () => {
  it.each([
    ['/nope', 404],
    ['/v2/nope', 404],
    ['/v3', 404],
    ['/v2/providers?x=1', 422],
    ['/v2/currency/%E0%A4%A', 400],
    ['/%E0%A4%A', 400],
    ['/v2/currencies?providers=%E0%A4%A', 400],
    ['/v2/currency/ZZZ', 404],
  ])('%s: %i in the one body', async (path, status) => {
    const { status: answered, headers, body } = await raw('GET', path);
    expect(answered).toBe(status);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(headers['cache-control']).toBe('no-store');
    expect(headers.etag).toBeUndefined();
    expect(headers['access-control-allow-origin']).toBe('*');
    expect(JSON.parse(body.toString())).toMatchObject({
      success: false,
      status,
      message: expect.any(String),
    });
  });

  it('name the parameter', async () => {
    const response = await call('/v2/providers?x=1');
    const message = 'unknown parameter: x (there are none here)';
    expect(await response.json()).toEqual({
      success: false,
      status: 422,
      message,
      errors: [{ parameter: 'x', message }],
    });
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('%s is not allowed where GET is', async (method) => {
    const { status, headers, body } = await raw(method, '/v2/currency/EUR');
    expect(status).toBe(405);
    expect(headers.allow).toBe('GET, HEAD, OPTIONS');
    expect(JSON.parse(body.toString())).toMatchObject({ success: false, status: 405 });
  });

  it('another method on an unknown path is a 404', async () => {
    expect((await raw('POST', '/nope')).status).toBe(404);
  });
});

describe('faults of ours', () => {
  it('are a bare 500', async () => {
    const broken = await startApi(database, {
      parts: {
        catalogue: {
          current: () => {
            throw new Error('secret text of a driver');
          },
          confirmedAt: () => undefined,
          catchUp: async () => {},
          close: async () => {},
        },
      },
    });
    try {
      const response = await fetch(`${broken.url}/v2/providers`);
      const body = await response.text();
      expect(response.status).toBe(500);
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(JSON.parse(body)).toEqual({
        success: false,
        status: 500,
        message: 'something went wrong on our side',
      });
    } finally {
      await broken.close();
    }
  });

  it('say when to come back while nothing was ever loaded', async () => {
    const empty = await startApi(database, {
      parts: {
        catalogue: {
          current: () => undefined,
          confirmedAt: () => undefined,
          catchUp: async () => {},
          close: async () => {},
        },
      },
    });
    try {
      for (const path of ['/v2/currencies', '/v2/currency/EUR', '/v2/providers']) {
        const response = await fetch(`${empty.url}${path}`);
        expect(response.status).toBe(503);
        expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
        expect(await response.json()).toMatchObject({ success: false, status: 503 });
      }
      expect((await fetch(`${empty.url}/health/ready`)).status).toBe(503);
      expect((await fetch(`${empty.url}/health/live`)).status).toBe(200);
    } finally {
      await empty.close();
    }
  });
});

describe('without the database', () => {
  it('continues to serve the snapshot', async () => {
    const lost = await testDatabase();
    await publish(lost, [['ECB', 'EUR', '1999-01-04', '2026-03-18']]);
    const going = await startApi(lost);
    try {
      expect(await (await fetch(`${going.url}/health/ready`)).json()).toMatchObject({ status: 'ready' });
      await lost.close();
      for (const path of ['/v2/currencies?scope=all', '/v2/currency/EUR', '/v2/providers', '/v2']) {
        expect((await fetch(`${going.url}${path}`)).status).toBe(200);
      }
      // An outcome is given again for a second.
      await vi.waitFor(async () => {
        const ready = await fetch(`${going.url}/health/ready`);
        expect(ready.status).toBe(200);
        expect(await ready.json()).toMatchObject({ status: 'degraded', snapshot: 'up', database: 'down' });
      }, 10_000);
    } finally {
      await going.close();
    }
  });
});

describe('what is no request', () => {
  it('is a 400', async () => {
    const answer = await bare('NONSENSE\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('{"success":false,"status":400,"message":"malformed request"}');
  });

  it('is a 431 where it is too large', async () => {
    const answer = await bare(`GET /${'x'.repeat(140_000)} HTTP/1.1\r\nhost: a\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
    expect(answer).toContain('"status":431');
  });
});

describe('methods', () => {
  it.each([
    '/',
    '/v2',
    '/v2/currencies',
    '/v2/currency/EUR',
    '/v2/providers',
    '/openapi.json',
    '/health/live',
  ])('HEAD %s has the headers of GET and no body', async (path) => {
    const get = await raw('GET', path);
    const head = await raw('HEAD', path);
    expect(get.status).toBe(200);
    expect(head.status).toBe(200);
    expect(head.body).toHaveLength(0);
    for (const name of ['etag', 'content-length', 'content-type', 'vary', 'cache-control']) {
      expect(head.headers[name]).toBe(get.headers[name]);
    }
  });

  it('HEAD of an error has no body either', async () => {
    const head = await raw('HEAD', '/nope');
    expect(head.status).toBe(404);
    expect(head.body).toHaveLength(0);
  });

  it('OPTIONS says what is allowed', async () => {
    const { status, headers, body } = await raw('OPTIONS', '/v2/currencies');
    expect(status).toBe(204);
    expect(headers.allow).toBe('GET, HEAD, OPTIONS');
    expect(body).toHaveLength(0);
    expect((await raw('OPTIONS', '/nope')).status).toBe(404);
  });

  it('OPTIONS responds to a preflight', async () => {
    const { status, headers } = await raw('OPTIONS', '/v2/currency/EUR', {
      origin: 'https://example.org',
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'if-none-match, x-request-id',
    });
    expect(status).toBe(204);
    expect(headers['access-control-allow-origin']).toBe('*');
    expect(headers['access-control-allow-methods']).toContain('GET');
    expect(headers['access-control-allow-headers']).toBe('if-none-match, x-request-id');
  });
});

describe('headers of every response', () => {
  it.each(['/v2', '/nope'])('%s', async (path) => {
    const { headers } = await call(path);
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('access-control-expose-headers')).toMatch(/^age, etag, /);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
    expect(headers.get('x-powered-by')).toBeNull();
  });

  it('return the id of the request where it is a sane one', async () => {
    const given = await call('/v2', { headers: { 'x-request-id': 'abc-123' } });
    expect(given.headers.get('x-request-id')).toBe('abc-123');
    const long = await call('/v2', { headers: { 'x-request-id': 'x'.repeat(200) } });
    expect(long.headers.get('x-request-id')).toMatch(/^[0-9a-f]{32}$/);
    const odd = await call('/v2', { headers: { 'x-request-id': 'a b"<' } });
    expect(odd.headers.get('x-request-id')).toMatch(/^[0-9a-f]{32}$/);
  });
});

describe('revalidation and coding', () => {
  it('responds 304 without a body to a client that has the response', async () => {
    const first = await raw('GET', '/v2/providers', { 'accept-encoding': 'gzip' });
    const etag = first.headers.etag ?? '';
    expect(etag).toMatch(/^"[\w-]+-gzip"$/);
    for (const header of [etag, `"other", ${etag}`, `W/${etag}`, '*']) {
      const again = await raw('GET', '/v2/providers', { 'if-none-match': header, 'accept-encoding': 'gzip' });
      expect(again.status).toBe(304);
      expect(again.body).toHaveLength(0);
      expect(again.headers.etag).toBe(etag);
      expect(again.headers['cache-control']).toBe(first.headers['cache-control']);
      expect(again.headers.vary).toBe('accept-encoding');
    }
    expect((await raw('GET', '/v2/providers', { 'if-none-match': '"other"' })).status).toBe(200);
  });

  it('codes the body as the client likes', async () => {
    const plain = await raw('GET', '/v2/providers');
    const gzip = await raw('GET', '/v2/providers', { 'accept-encoding': 'gzip;q=1, br;q=0.5' });
    const br = await raw('GET', '/v2/providers', { 'accept-encoding': 'gzip, br' });
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(gzip.headers['content-encoding']).toBe('gzip');
    expect(br.headers['content-encoding']).toBe('br');
    expect(gunzipSync(gzip.body)).toEqual(plain.body);
    expect(brotliDecompressSync(br.body)).toEqual(plain.body);
    expect(new Set([plain, gzip, br].map(({ headers }) => headers.etag)).size).toBe(3);
    for (const { headers } of [plain, gzip, br]) expect(headers.vary).toBe('accept-encoding');
  });

  it('leaves small bodies as they are', async () => {
    const { headers } = await raw('GET', '/v2', { 'accept-encoding': 'br' });
    expect(headers['content-encoding']).toBeUndefined();
  });
});

describe('a path that is easily taken for another', () => {
  it.each([
    ['/v2/provider/ECB', '/v2/providers/ECB'],
    ['/v2/currencies/eur?x=a%20b', '/v2/currency/eur?x=a%20b'],
    ['/v2/currencies/%0D%0Aset-cookie:x', '/v2/currency/%0D%0Aset-cookie%3Ax'],
    ['/v2/provider/%2F%2Fexample.org', '/v2/providers/%2F%2Fexample.org'],
  ])('%s leads to %s for good', async (path, location) => {
    for (const method of ['GET', 'HEAD']) {
      const { status, headers, body } = await raw(method, path);
      expect([status, headers.location, body.length]).toEqual([308, location, 0]);
    }
  });
});
