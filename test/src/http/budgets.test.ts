import { expect, it, onTestFinished } from 'vitest';
import { startApi } from '../../support/api.js';
import { someRates } from '../../support/rates.js';
import { sharedDatabase } from '../../support/shared.js';
import { ask, open } from './support.js';

it('what takes much is refused for as long as its client holds all that one may hold', async () => {
  const { url, close } = await startApi(await sharedDatabase(someRates('2026-03-16')), {
    clock: () => new Date('2026-03-20T18:00:00Z'),
    parts: { admissionLimits: { bufferedBytes: 4 * 1024 * 1024 } },
  });
  onTestFinished(close);
  const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const statusOf = async (path: string, body = '', localAddress = '127.0.0.1') => {
    const sent = { method: body === '' ? 'GET' : 'POST', localAddress, headers: json, body };
    const { status, headers } = await ask(url + path, sent);
    return [path, status, headers['retry-after']];
  };
  const call = (input: object) =>
    JSON.stringify({
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
      params: { name: 'series', arguments: { quotes: 'USD,GBP,JPY,CHF', ...input } },
    });
  const listed = ['/v2/revisions', '/v2/revisions.csv', '/v2/suspects'];
  const LARGE = [
    ...listed.map((path) => [path] as const),
    ['/mcp', call({ from: '1999-01-01' })],
    ['/v2/convert', '[]'],
  ] as const;
  const SMALL = [['/v2/rates'], ['/health/live'], ['/mcp', call({ from: '2026-03-01' })]] as const;
  // A body of unknown length may be the largest.
  const holding = open(`${url}/v2/convert`, { method: 'POST' });
  holding.write('[');
  onTestFinished(() => void holding.destroy());
  await expect.poll(() => statusOf('/v2/suspects')).toEqual(['/v2/suspects', 503, '2']);
  const [large, small, others] = await Promise.all([
    Promise.all(LARGE.map(([path, body]) => statusOf(path, body))),
    Promise.all(SMALL.map(([path, body]) => statusOf(path, body))),
    Promise.all(listed.map((path) => statusOf(path, undefined, '127.0.0.2'))),
  ]);
  expect(large).toEqual(LARGE.map(([path]) => [path, 503, '2']));
  expect(small).toEqual(SMALL.map(([path]) => [path, 200, undefined]));
  expect(others).toEqual(listed.map((path) => [path, 200, undefined]));
  holding.destroy();
  await expect.poll(() => statusOf('/v2/revisions')).toEqual(['/v2/revisions', 200, undefined]);
});
