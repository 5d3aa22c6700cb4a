import { createHash } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { LONG_PAIRS, publish } from '../../support/rates.js';
import { sharedApi } from '../../support/shared.js';
import { ask, type Sent } from './support.js';

const NOW = '2026-03-20T18:00:00Z';
/** Enough days for a response with all of them to be streamed. */
const RATES = publish('ECB', LONG_PAIRS, '2024-01-01', '2026-03-20');

let url: string;
beforeAll(async () => {
  ({ url } = await sharedApi(RATES, { now: NOW }));
});

/** The response, with all headers but the time of day as they were sent, in their order, and a digest of its body. */
async function send(path: string, { headers = {}, ...sent }: Sent = {}, to = url) {
  const own = { 'x-request-id': 'parity', ...headers };
  const { status, rawHeaders, body } = await ask(to + path, { ...sent, headers: own });
  const pairs = rawHeaders.flatMap((name, index): [string, string][] =>
    index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? '']] : [],
  );
  return {
    status,
    headers: pairs.filter(([name]) => name.toLowerCase() !== 'date'),
    digest: createHash('sha256').update(body).digest('hex'),
    length: body.length,
  };
}

/** Expects the same response on every way: by the exact path, from the response cache, and through Express. */
async function expectParity(path: string, request: Sent = {}) {
  const [plain = '', ...query] = path.split('?');
  const capitals = [plain.toUpperCase(), ...query].join('?');
  const first = await send(path, request);
  // The second request is what makes the response cache keep a reply, the third finds it there.
  for (const target of [path, path, capitals, capitals, capitals, [`${plain}/`, ...query].join('?')])
    expect({ target, ...(await send(target, request)) }).toEqual({ target, ...first });
  return first;
}

const YEAR = '/v2/rates?quotes=USD&from=2025-03-20&to=2026-03-19';
const EVERYTHING = '/v2/rates?from=2024-01-01&to=2026-03-19';
const LATEST = '/v2/rates';
const CODED = { 'accept-encoding': 'gzip, br' };

it.each<[path: string, status: number, request?: Sent]>([
  [LATEST, 200],
  [LATEST, 200, { headers: CODED }],
  [LATEST, 200, { headers: { accept: 'text/csv' } }],
  [YEAR, 200, { headers: CODED }],
  [EVERYTHING, 200],
  [EVERYTHING, 200, { headers: CODED }],
  [`${LATEST}?expand=providers`, 200],
  [`${LATEST}?providers=ECB`, 200],
  [LATEST, 200, { method: 'HEAD', headers: CODED }],
  [EVERYTHING, 200, { method: 'HEAD' }],
  [`${LATEST}?base=ZZZ`, 422],
  [`${LATEST}?base=ZZZ`, 422, { method: 'HEAD' }],
  [`${LATEST}?base=%E0%A4%A`, 400],
  ['/v2/rate/EUR/USD', 200],
  ['/v2/currencies', 200, { headers: CODED }],
  ['/random/hangman?game=chess', 400],
  ['/v2', 200],
  ['/health/live', 200],
])('every way sends the same status, headers and bytes for %s: %i %j', async (path, status, request) => {
  expect((await expectParity(path, request)).status).toBe(status);
});

it('streams are among the responses that are compared', async () => {
  expect((await send(EVERYTHING)).headers).toContainEqual(['Transfer-Encoding', 'chunked']);
});

const TAGGED = [LATEST, YEAR, EVERYTHING, '/v2/rate/EUR/USD', '/v2/providers'];
it.each(TAGGED)('every way sends the same 304 for %s, with the tag that the client sent', async (path) => {
  for (const had of [CODED, {}]) {
    const { headers } = await send(path, { headers: had });
    const etag = headers.find(([name]) => name === 'etag') ?? [];
    const held = await expectParity(path, { headers: { ...CODED, 'if-none-match': etag[1] ?? '' } });
    expect(held).toMatchObject({ status: 304, length: 0, headers: expect.arrayContaining([etag]) });
    const names = held.headers.map(([name]) => name);
    expect(names).toEqual(expect.arrayContaining(['vary', 'cache-control', 'x-request-id']));
    for (const name of ['content-type', 'content-security-policy']) expect(names).not.toContain(name);
  }
});

it('every way refuses a request over its limit in the same way', async () => {
  const limited = await sharedApi(RATES, { now: NOW, variables: { RATE_LIMITS: 'currency=1' } });
  await send(LATEST, {}, limited.url);
  const steady = async (path: string) => {
    const { headers, status } = await send(path, {}, limited.url);
    // The seconds left go by meanwhile, in the message too.
    return { status, headers: headers.map(([name, value]) => [name, value.replace(/\d+$/, '')]) };
  };
  const first = await steady(LATEST);
  expect(first.status).toBe(429);
  for (const path of ['/V2/RATES', '/v2/rates/', '/v2/rate/EUR/USD'])
    expect(await steady(path)).toEqual(first);
});
