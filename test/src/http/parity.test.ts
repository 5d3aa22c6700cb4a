import { createHash } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../support/api.js';
import type { TestDatabase } from '../../support/postgres.js';
import { databaseWith, longHistory } from '../../support/rates.js';

const NOW = new Date('2026-03-20T18:00:00Z');

let database: TestDatabase;
let api: TestApi;
let limited: TestApi;

beforeAll(async () => {
  database = await databaseWith(longHistory());
  const clock = () => NOW;
  api = await startApi(database, { clock });
  limited = await startApi(database, { clock, variables: { RATE_LIMIT_CURRENCY: '1' } });
});

afterAll(async () => {
  await api?.close();
  await limited?.close();
  await database?.close();
});

interface Sent {
  method?: string;
  path: string;
  headers?: Record<string, string>;
}

interface Received {
  status: number | undefined;
  /** All headers as they were sent, in their order, but for the time of day. */
  headers: [name: string, value: string][];
  length: number;
  /** SHA-256 of the body. */
  digest: string;
}

function send({ method = 'GET', path, headers = {} }: Sent, to = api): Promise<Received> {
  const { hostname, port } = new URL(to.url);
  return new Promise((resolve, reject) => {
    const own = { 'x-request-id': 'parity', ...headers };
    httpRequest({ hostname, port, method, path, headers: own, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const { rawHeaders } = response;
        const body = Buffer.concat(chunks);
        const pairs = rawHeaders.flatMap((name, index): [string, string][] =>
          index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? '']] : [],
        );
        resolve({
          status: response.statusCode,
          headers: pairs.filter(([name]) => name.toLowerCase() !== 'date'),
          length: body.length,
          digest: createHash('sha256').update(body).digest('hex'),
        });
      });
    })
      .on('error', reject)
      .end();
  });
}

/** The same request on every way through the service: by its exact path, from the response cache, through Express. */
async function everyWay(request: Sent): Promise<Record<string, Received>> {
  const [path = '', query] = request.path.split('?', 2);
  const spelled = (other: string) => ({
    ...request,
    path: query === undefined ? other : `${other}?${query}`,
  });
  const exact = await send(request);
  // The second request is what makes the response cache keep a reply, the third finds it there.
  await send(request);
  const cached = await send(request);
  const capitals = await send(spelled(path.toUpperCase()));
  await send(spelled(path.toUpperCase()));
  const cachedCapitals = await send(spelled(path.toUpperCase()));
  const slash = await send(spelled(`${path}/`));
  return { exact, cached, capitals, cachedCapitals, slash };
}

const YEAR = '/v2/rates?quotes=USD&from=2025-03-20&to=2026-03-19';
const EVERYTHING = '/v2/rates?from=2005-01-01&to=2026-03-19';
const LATEST = '/v2/rates';
const coded = { 'accept-encoding': 'gzip, br' };

describe('every way through the service sends the same status, headers and bytes', () => {
  it.each<[string, Sent]>([
    ['the newest rates', { path: LATEST }],
    ['the newest rates, coded', { path: LATEST, headers: coded }],
    ['rates as CSV', { path: LATEST, headers: { accept: 'text/csv' } }],
    ['a year', { path: YEAR, headers: coded }],
    ['a streamed range', { path: EVERYTHING }],
    ['a streamed range, coded', { path: EVERYTHING, headers: coded }],
    ['rates with their sources', { path: `${LATEST}?expand=providers` }],
    ["one provider's rates", { path: `${LATEST}?providers=ECB` }],
    ['HEAD', { method: 'HEAD', path: LATEST, headers: coded }],
    ['HEAD of a streamed range', { method: 'HEAD', path: EVERYTHING }],
    ['an error', { path: `${LATEST}?base=ZZZ` }],
    ['HEAD of an error', { method: 'HEAD', path: `${LATEST}?base=ZZZ` }],
    ['a query that is not decodable', { path: `${LATEST}?base=%E0%A4%A` }],
    ['currencies', { path: '/v2/currencies', headers: coded }],
    ['providers', { path: '/v2/providers', headers: coded }],
    ['a word', { path: '/random/hangman?game=chess' }],
    ['an index', { path: '/v2' }],
    ['health', { path: '/health/live' }],
  ])('%s', async (_name, request) => {
    const { exact, ...others } = await everyWay(request);
    expect(exact?.status).toBeDefined();
    for (const [way, received] of Object.entries(others)) {
      expect({ way, ...received }).toEqual({ way, ...exact });
    }
  });

  it('a pair, which has path parameters, as it is the first time and from the response cache', async () => {
    const { exact, cached, capitals, cachedCapitals, slash } = await everyWay({ path: '/v2/rate/EUR/USD' });
    expect(exact?.status).toBe(200);
    for (const other of [cached, capitals, cachedCapitals, slash]) expect(other).toEqual(exact);
  });

  it.each([LATEST, YEAR, EVERYTHING, '/v2/rate/EUR/USD', '/v2/providers'])('a 304 for %s', async (path) => {
    const etag = (await send({ path, headers: coded })).headers.find(([name]) => name === 'etag')?.[1] ?? '';
    const { exact, ...others } = await everyWay({ path, headers: { ...coded, 'if-none-match': etag } });
    expect([exact?.status, exact?.length]).toEqual([304, 0]);
    const names = exact?.headers.map(([name]) => name);
    expect(names).toEqual(expect.arrayContaining(['etag', 'vary', 'cache-control', 'x-request-id']));
    expect(names).not.toContain('content-type');
    expect(names).not.toContain('content-security-policy');
    for (const [way, received] of Object.entries(others)) {
      expect({ way, ...received }).toEqual({ way, ...exact });
    }
  });

  it('a request over its limit', async () => {
    await send({ path: LATEST }, limited);
    const refused: Received[] = [];
    for (const path of [LATEST, LATEST, '/V2/RATES', '/v2/rates/', '/v2/rate/EUR/USD']) {
      refused.push(await send({ path }, limited));
    }
    const [first, ...others] = refused;
    expect(first?.status).toBe(429);
    const steady = ({ status, headers, digest }: Received) => ({
      status,
      digest,
      // The seconds left go by meanwhile.
      headers: headers.map(([name, value]) => [name, value.replace(/t=\d+|^\d+$/, '')]),
    });
    for (const other of others) expect(steady(other)).toEqual(first && steady(first));
  });
});
