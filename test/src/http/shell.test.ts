import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { startApi } from '../../support/api.js';
import { someRates } from '../../support/rates.js';
import { sharedApi, sharedDatabase } from '../../support/shared.js';
import { ask } from './support.js';

const RATES = someRates('2026-03-16');

let url: string;
beforeAll(async () => {
  ({ url } = await sharedApi(RATES, { now: '2026-03-20T18:00:00Z' }));
});

it.each([
  ['/nope', 404],
  ['/v3', 404],
  ['/v2/providers?x=1', 422],
  ['/v2/currency/%E0%A4%A', 400],
  ['/v2/currencies?providers=%E0%A4%A', 400],
])('an error at %s is a %i in the one body, which is not cached', async (path, status) => {
  const { headers, body, ...got } = await ask(url + path);
  expect(got.status).toBe(status);
  expect(headers).toMatchObject({
    ...{ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
    ...{ 'access-control-allow-origin': '*', 'x-content-type-options': 'nosniff' },
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  });
  expect(headers.etag).toBeUndefined();
  expect(JSON.parse(body.toString())).toMatchObject({
    success: false,
    status,
    message: expect.any(String),
  });
  expect(await ask(url + path, { method: 'HEAD' })).toMatchObject({ status, body: Buffer.alloc(0) });
});

it('an error says when to come back while nothing was ever loaded', async () => {
  const nothing = () => undefined;
  const catalogue = {
    current: nothing,
    confirmedAt: nothing,
    catchUp: async () => {},
    close: async () => {},
  };
  const empty = await startApi(await sharedDatabase(RATES), { parts: { catalogue } });
  onTestFinished(empty.close);
  for (const path of ['/v2/currencies', '/v2/currency/EUR', '/v2/providers']) {
    const response = await fetch(empty.url + path);
    expect(response.status).toBe(503);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  expect((await fetch(`${empty.url}/health/ready`)).status).toBe(503);
  expect((await fetch(`${empty.url}/health/live`)).status).toBe(200);
});

it.each([
  ['/v2/provider/ECB', '/v2/providers/ECB'],
  ['/v2/currencies/eur?x=a%20b', '/v2/currency/eur?x=a%20b'],
  ['/v2/currencies/%0D%0Aset-cookie:x', '/v2/currency/%0D%0Aset-cookie%3Ax'],
  ['/v2/provider/%2F%2Fexample.org', '/v2/providers/%2F%2Fexample.org'],
])('%s, which is easily taken for another path, leads to %s for good', async (path, location) => {
  for (const method of ['GET', 'HEAD'])
    expect(await ask(url + path, { method })).toMatchObject({
      status: 308,
      headers: { location },
      body: Buffer.alloc(0),
    });
});
