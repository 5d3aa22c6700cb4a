import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { withoutKeys } from '../../../../src/http/client-keys.js';
import { clientKeys } from '../../../../src/rates/dialects/dialects.js';
import { startApi } from '../../../support/api.js';
import { sharedDatabase } from '../../../support/shared.js';

const same = (target: string) => [target, target] as const;
const kept = (target: string) => (clientKeys.targets.test(target) ? withoutKeys(target, clientKeys) : target);

describe('the key of a client', () => {
  it.each<readonly [target: string, rest: string]>([
    ['/oxr/api/latest.json?app_id=SECRET', '/oxr/api/latest.json'],
    [
      '/oxr/api/latest.json?base=EUR&App%5Fid=SECRET&symbols=USD',
      '/oxr/api/latest.json?base=EUR&symbols=USD',
    ],
    ['/FIXER/latest?access_key=SECRET&&base=EUR', '/FIXER/latest?&base=EUR'],
    ['/currencylayer/live?apikey=SECRET', '/currencylayer/live'],
    ['/er/v6/SECRET/latest/USD', '/er/v6/-/latest/USD'],
    ['/er/v6/SECRET/latest', '/er/v6/-/latest'],
    ['/ER/V6/SECRET/pair/EUR/USD?x=1', '/ER/V6/-/pair/EUR/USD?x=1'],
    // It is not looked for elsewhere.
    ...['/er/v6/latest/USD', '/er/v4/latest/USD?base=EUR', '/oxr', '/v2/rates?apikey=1'].map(same),
    ...['/erx/v6/a/latest/USD', '/fixer/latest?symbols=%zz'].map(same),
  ])('is taken out of %s', (target, rest) => {
    expect(kept(target)).toBe(rest);
    expect(kept(rest)).toBe(rest);
  });
});

it('a request with a key is answered as with others, from one place in the cache, and logged without it', async () => {
  const lines: string[] = [];
  const rows = [{ provider: 'ECB', date: '2026-03-19', base: 'EUR', quote: 'USD', rate: 1.1546 }];
  const api = await startApi(await sharedDatabase(rows), {
    clock: () => new Date('2026-03-20T12:00:00Z'),
    parts: { log: pino({ level: 'trace' }, { write: (line) => void lines.push(line) }) },
  });
  const latest = (key: string) =>
    fetch(`${api.url}/fawazahmed0/latest/v1/currencies/eur.json?apikey=${key}`, {
      headers: { authorization: `Bearer ${key}`, apikey: key },
    });
  const bodies = new Set<string>();
  for (const key of ['SECRET1', 'SECRET2', 'SECRET3']) bodies.add(await (await latest(key)).text());
  expect(bodies.size).toBe(1);
  const missing = await fetch(`${api.url}/er/v6/SECRET4/nothing?access_key=SECRET5`);
  expect(missing.status).toBe(404);
  expect(await missing.text()).not.toContain('SECRET');
  const metrics = await (await fetch(`${api.url}/metrics`)).text();
  expect(Number(/almanac_response_cache_hits_total (\d+)/.exec(metrics)?.[1])).toBeGreaterThan(0);
  await api.close();
  expect(lines.join('')).toContain('/fawazahmed0/latest');
  expect(lines.join('')).not.toContain('SECRET');
});
