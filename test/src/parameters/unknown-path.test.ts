import { expect, it } from 'vitest';
import { meantPath } from '../../../src/parameters/unknown-path.js';
import { processorMs } from '../../support/processor-time.js';
import { someRates } from '../../support/rates.js';
import { sharedApi } from '../../support/shared.js';
import { ask } from '../http/support.js';

const paths = [
  ...['/v2/rates', '/v2/rates.csv', '/v2/coverage', '/v2/currencies', '/v2/providers'],
  ...['/v1/latest', '/weather/current', '/status', '/no'],
];

const MOVED = { status: 308, body: Buffer.alloc(0) };

it.each<[address: string, paths: string[]]>([
  [
    '/v2/rates',
    ['/latest', '/api/latest', '/api/latest.json', '/v2/latest', '/v2/latest/', '/api/latest/usd'],
  ],
  ['/v2/rates', ['/live', '/historical/2026-03-02.json', '/time-series.json', '/v4/latest/usd']],
  ['/v2/rates', ['/v2/rate', '/v2/rate/CHF', '/v2/rates/latest', '/v3/rates', '/rates', '/api/v2/rates']],
  ['/v2/rates?from=2026-01-01&group=range&expand=stats', ['/fluctuation']],
  ['/v2/convert/EUR/USD?amount=1', ['/convert', '/v2/convert', '/convert/100/EUR/SEK']],
  ['/v2/rate/EUR/USD', ['/v6/0123456789abcdef/pair/EUR/USD/10', '/pair/EUR/USD']],
  ['/v2/currencies', ['/currencies.json', '/symbols', '/currencies', '/v1/currencies/eur.json']],
  ['/openapi.json', ['/swagger.json']],
  ['/health/ready', ['/readyz']],
  ['/v2/coverage', ['/v2/coverge', '/api/v2/coverage']],
  ['/v2/providers', ['/v2/provider']],
  ['/weather/current', ['/wether/current']],
  ['/status', ['/staus']],
])('%s is the address here for %j', (address, targets) => {
  for (const target of targets) expect([target, meantPath(target, paths)]).toEqual([target, address]);
});

it.each([
  ...['/', '/nope', '/robots', '/v2/nothing/of/that', '/v3/anything', '/wp-login.php'],
  ...['/v2/coverge%3Cb%3E', `/latest${'/'.repeat(10)}${'a'.repeat(400)}`],
  ...['/random', '/foo/bar', '/a'.repeat(50_000), `/v2/${'a'.repeat(100_000)}`],
])('there is no address for %.80s', (target) => {
  expect(meantPath(target, paths)).toBeUndefined();
});

it('an address for a long path is looked for soon, among many paths', () => {
  const many = Array.from({ length: 200 }, (_, at) => `/v2/some${at}/other${at}`);
  const started = processorMs();
  for (const part of ['a', '/', '-', '[', '/rates', '1.', 'EUR,'])
    for (const times of [40, 30_000]) expect(meantPath(`/${part.repeat(times)}`, many)).toBeUndefined();
  expect(processorMs() - started).toBeLessThan(500);
});

it.each([
  ['/v2/provider/ECB', '/v2/providers/ECB'],
  ['/v2/currencies/eur?x=a%20b', '/v2/currency/eur?x=a%20b'],
  ['/v2/currencies/%0D%0Aset-cookie:x', '/v2/currency/%0D%0Aset-cookie%3Ax'],
  ['/v2/provider/%2F%2Fexample.org', '/v2/providers/%2F%2Fexample.org'],
])('%s, which is easily taken for another path, leads to %s for good', async (path, location) => {
  const { url } = await sharedApi(someRates('2026-03-16'), { now: '2026-03-20T18:00:00Z' });
  for (const method of ['GET', 'HEAD'])
    expect(await ask(url + path, { method })).toMatchObject({ ...MOVED, headers: { location } });
});
