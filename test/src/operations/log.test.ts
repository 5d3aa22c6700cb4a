import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../support/api.js';
import { type HttpStub, httpStub } from '../../support/http-stub.js';
import { someRates } from '../../support/rates.js';
import { sharedDatabase } from '../../support/shared.js';
import { ask as request } from '../http/support.js';
import { TOKEN } from './support.js';

const NOWHERE = 'http://127.0.0.1:9';
const lines: string[] = [];
let stalled: HttpStub;
let api: TestApi;

beforeAll(async () => {
  stalled = await httpStub({ '/v1/search': () => undefined });
  api = await startApi(await sharedDatabase(someRates('2026-03-16')), {
    variables: {
      ...{ ADMIN_TOKEN: TOKEN, OPENCAGE_API_KEY: 'key-of-opencage' },
      ...{ GEOCODER_URL: NOWHERE, TRANSLATE_URL: NOWHERE, OPEN_METEO_URL: NOWHERE },
      OPEN_METEO_GEOCODING_URL: stalled.url,
    },
    parts: { log: pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) }) },
  });
});
afterAll(async () => {
  await api?.close();
  await stalled?.close();
});
beforeEach(() => {
  lines.length = 0;
});

const logged = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>);
const requests = () => logged().filter(({ msg }) => msg === 'request');

/** Sends requests for paths as they are written, on one connection, without waiting for a response. */
async function send(paths: readonly string[], last = ''): Promise<Socket> {
  const { hostname, port } = new URL(api.url);
  const socket = connect(Number(port), hostname).resume();
  await once(socket, 'connect');
  const text = paths.map((path, id) => `GET ${path} HTTP/1.1\r\nhost: a\r\nx-request-id: sent-${id}\r\n`);
  socket.write(`${text.join('\r\n')}${last}\r\n`);
  return socket;
}

it('has one line for each request, with its id, and no secret', async () => {
  const ask = async (path: string, id: string) => {
    const headers = { 'x-request-id': id, authorization: `Bearer ${TOKEN}` };
    return (await request(api.url + path, { headers })).headers['x-request-id'];
  };
  // Made, kept, and from the response cache.
  const paths = Array(3).fill('/v2/rates?quotes=USD');
  paths.push('/v2/currency/NOPE', '/health/live', '/admin/jobs/1');
  paths.push('/detect/location?lat=52.5&lon=13.4', `/elsewhere?token=${TOKEN}`);
  for (const [number, path] of paths.entries())
    expect(await ask(path, `mine-${number}`)).toBe(`mine-${number}`);
  expect(await ask('/v2/rates?quotes=USD', 'no id\tat all')).toMatch(/^[0-9a-f-]{36}$/);
  const body = new URLSearchParams({ token: `${TOKEN}-wrong` });
  await fetch(`${api.url}/admin/login`, { method: 'POST', body });
  await expect.poll(requests, { timeout: 20_000 }).toHaveLength(10);
  const [made, , cached, unknown, health, admin, detected, nothing] = requests();
  const statuses = [made, cached, unknown, health, admin, detected, nothing].map((one) => one?.status);
  expect(statuses).toEqual([200, 200, 404, 200, 503, 502, 404]);
  expect(requests().map(({ id }) => id)).toEqual(expect.arrayContaining(paths.map((_, id) => `mine-${id}`)));
  expect(cached).toMatchObject({ method: 'GET', url: '/v2/rates?quotes=USD', ms: expect.any(Number) });
  expect(health).toMatchObject({ level: 20 });
  expect(detected).toMatchObject({ url: '/detect/location' });
  for (const secret of [TOKEN, 'key-of-opencage', 'lat=']) expect(lines.join('')).not.toContain(secret);
});

it('says of a client that left that its requests were aborted, whichever way they took', async () => {
  for (let twice = 0; twice < 2; twice++) await (await fetch(`${api.url}/v2/rates?quotes=EUR`)).text();
  const before = stalled.requests.length;
  const socket = await send([
    '/weather/search?q=Oslo', // An upstream that never responds.
    '/v2/rates?quotes=EUR', // From the response cache, behind it.
    '/V2/PROVIDERS', // Through Express.
  ]);
  await expect.poll(() => stalled.requests.length).toBe(before + 1);
  socket.destroy();
  const aborted = () => requests().flatMap(({ aborted, id }) => (aborted === true ? [id] : []));
  await expect.poll(() => aborted().sort()).toEqual(['sent-0', 'sent-1', 'sent-2']);
});

it('says nothing of what was translated or looked up, however the path is written', async () => {
  const secret = 'a-private-sentence';
  const paths = [
    `/translate/text?text=${secret}&to=it`,
    `/v2/../translate/text?text=${secret}&to=it`,
    `/v2/%2e%2e/translate/text?text=${secret}&to=it`,
    `/v2/./../translate/text/?text=${secret}&to=it`,
    `/v2//translate/text?text=${secret}&to=it`,
    `/v2/../weather/current?lat=12.345&lon=67.891&x=${secret}`,
    `/V2/../TRANSLATE/TEXT?text=${secret}&to=it`,
    `/v2/nothing-here?text=${secret}`,
    `http://almanac/v2/../translate/text?text=${secret}&to=it`,
  ];
  await once(await send(paths, 'connection: close\r\n'), 'close');
  await expect.poll(requests).toHaveLength(paths.length);
  for (const hidden of [secret, '12.345', '67.891']) expect(lines.join('')).not.toContain(hidden);
});
