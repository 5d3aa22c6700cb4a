import { once } from 'node:events';
import { connect } from 'node:net';
import { Writable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { startApi } from '../../support/api.js';
import { httpStub } from '../../support/http-stub.js';
import { databaseWith, longHistory, someRates } from '../../support/rates.js';
import { TOKEN } from './support.js';

it('has one line for each request, with its id, and no secret', async () => {
  const lines: string[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  const database = await databaseWith(someRates('2026-03-16'));
  const api = await startApi(database, {
    variables: {
      ACCESS_LOG: 'all',
      ADMIN_TOKEN: TOKEN,
      OPENCAGE_API_KEY: 'key-of-opencage',
      GEOCODER_URL: 'http://127.0.0.1:9',
    },
    parts: { log: pino({ level: 'debug' }, stream) },
  });
  try {
    await (await fetch(`${api.url}/v2/rates?quotes=USD`)).text();
    await expect.poll(() => lines.join(''), { timeout: 10_000 }).toContain('"msg":"request"');
    lines.length = 0;
    const paths = [
      '/v2/rates?quotes=USD', // Made.
      '/v2/rates?quotes=USD', // At hand.
      '/v2/currency/NOPE',
      '/health/live',
      '/admin/jobs/1',
      '/detect/location?lat=52.5&lon=13.4',
      `/elsewhere?token=${TOKEN}`,
    ];
    for (const [number, path] of paths.entries()) {
      const answer = await fetch(`${api.url}${path}`, {
        headers: { 'x-request-id': `request-${number}`, authorization: `Bearer ${TOKEN}` },
      });
      expect(answer.headers.get('x-request-id')).toBe(`request-${number}`);
      await answer.text();
    }
    await fetch(`${api.url}/admin/login`, {
      method: 'POST',
      body: new URLSearchParams({ token: `${TOKEN}-wrong` }),
    });
    const made = await fetch(`${api.url}/v2/rates?quotes=USD`, {
      headers: { 'x-request-id': 'no id\tat all' },
    });
    expect(made.headers.get('x-request-id')).toMatch(/^[0-9a-f]{32}$/);
    await expect
      .poll(() => lines.filter((line) => line.includes('"msg":"request"')), { timeout: 10_000 })
      .toHaveLength(9);
    const requests = lines
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter((line) => line.msg === 'request');
    expect(requests.slice(0, 7).map(({ id, status }) => [id, status])).toEqual([
      ['request-0', 200],
      ['request-1', 200],
      ['request-2', 404],
      ['request-3', 200],
      ['request-4', 503],
      ['request-5', 502],
      ['request-6', 404],
    ]);
    expect(requests[1]).toMatchObject({ method: 'GET', url: '/v2/rates?quotes=USD', ms: expect.any(Number) });
    expect(requests[3]).toMatchObject({ level: 20 });
    expect(requests[5]).toMatchObject({ url: '/detect/location' });
    const all = lines.join('');
    for (const secret of [TOKEN, 'key-of-opencage', '52.5']) expect(all).not.toContain(secret);
  } finally {
    await api.close();
    await database.close();
  }
});

it('says of a client that left that its request was aborted, whichever way the request took', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
  const stalled = await httpStub({ '/v1/search': () => undefined });
  const database = await databaseWith(longHistory());
  const api = await startApi(database, {
    variables: { ACCESS_LOG: 'all', OPEN_METEO_GEOCODING_URL: stalled.url },
    parts: { log },
  });
  try {
    for (const _ of [1, 2]) await (await fetch(`${api.url}/v2/rates?quotes=USD`)).text();
    const { hostname, port } = new URL(api.url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    socket.pause();
    const paths = [
      '/v2/rates?from=1999-01-01', // A stream that its client does not read.
      '/v2/rates?quotes=USD', // From the response cache, behind the stream.
      '/V2/PROVIDERS', // Through Express.
      '/weather/search?q=Oslo', // An upstream that never responds.
    ];
    const request = (path: string, id: number) =>
      `GET ${path} HTTP/1.1\r\nhost: almanac\r\nx-request-id: left-${id}\r\n\r\n`;
    socket.write(paths.map(request).join(''));
    await setTimeout(1_000);
    socket.destroy();
    const aborted = () =>
      lines
        .map((line) => JSON.parse(line) as Record<string, unknown>)
        .filter((line) => line.msg === 'request' && line.aborted === true)
        .map(({ id }) => id)
        .sort();
    await expect.poll(aborted, { timeout: 10_000 }).toEqual(['left-0', 'left-1', 'left-2', 'left-3']);
  } finally {
    await api.close();
    await database.close();
    await stalled.close();
  }
});

it('says nothing of what was translated or looked up, however the path is written', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) });
  const database = await databaseWith(someRates('2026-03-16'));
  const api = await startApi(database, {
    variables: {
      ACCESS_LOG: 'all',
      TRANSLATE_URL: 'http://127.0.0.1:9',
      OPEN_METEO_URL: 'http://127.0.0.1:9',
    },
    parts: { log },
  });
  try {
    const { hostname, port } = new URL(api.url);
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
    for (const path of paths) {
      const socket = connect(Number(port), hostname);
      socket.write(`GET ${path} HTTP/1.1\r\nhost: almanac\r\nconnection: close\r\n\r\n`);
      socket.resume();
      await once(socket, 'close');
    }
    const requests = () => lines.filter((line) => line.includes('"msg":"request"'));
    await expect.poll(() => requests().length, { timeout: 10_000 }).toBe(paths.length);
    for (const told of [secret, '12.345', '67.891']) expect(lines.join('')).not.toContain(told);
  } finally {
    await api.close();
    await database.close();
  }
});
