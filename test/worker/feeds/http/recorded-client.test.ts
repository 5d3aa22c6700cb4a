import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { HttpClient } from '../../../../worker/feeds/http/client.js';
import { readRecording, recordedClient } from '../../../../worker/feeds/http/recorded-client.js';
import { recordedSpan } from '../../../../worker/feeds/recordings.js';

const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

interface Entry {
  method?: string;
  url: string;
  requestBody?: string;
  status?: number;
  responseHeaders?: Record<string, string>;
  recordedAt?: string;
}

/** Writes an index whose bodies are `1`, `2`, … in their order, and reads it. */
async function recordingOf(...entries: Entry[]) {
  const folder = await mkdtemp(join(tmpdir(), 'recording-'));
  folders.push(folder);
  const index = entries.map((entry, at) => ({
    method: 'GET',
    requestHeaders: {},
    requestBody: null,
    status: 200,
    responseHeaders: {},
    bodyFile: `x-${at + 1}.txt`,
    recordedAt: 'Sun, 22 Mar 2026 20:56:07 GMT',
    ...entry,
  }));
  await Promise.all(index.map((entry, at) => writeFile(join(folder, entry.bodyFile), String(at + 1))));
  await writeFile(join(folder, 'x.index.json'), JSON.stringify(index));
  return readRecording(join(folder, 'x.index.json'));
}

async function clientOf(...entries: Entry[]): Promise<HttpClient> {
  return recordedClient([await recordingOf(...entries)]);
}

const get = async (client: HttpClient, url: string) => (await client.get(url)).text();

test('the same request first, its parameters in any order', async () => {
  const client = await clientOf(
    { url: 'https://a.example/p?x=1&y=2' },
    { url: 'https://a.example/p?x=2&y=1' },
  );
  expect(await get(client, 'https://a.example/p?y=1&x=2')).toBe('2');
  expect(await get(client, 'https://a.example/p?y=2&x=1')).toBe('1');
});

test('a request that was recorded twice gets both answers in turn', async () => {
  const client = await clientOf({ url: 'https://a.example/page' }, { url: 'https://a.example/page' });
  expect([await get(client, 'https://a.example/page'), await get(client, 'https://a.example/page')]).toEqual([
    '1',
    '2',
  ]);
});

test('else the one of that path that shares most parameters', async () => {
  const client = await clientOf(
    { url: 'https://a.example/p?series=USD&key=%3CKEY%3E&from=2026-03-01' },
    { url: 'https://a.example/p?series=EUR&key=%3CKEY%3E&from=2026-03-01' },
  );
  expect(await get(client, 'https://a.example/p?series=EUR&key=mine&from=2026-11-01')).toBe('2');
  expect(await get(client, 'https://a.example/p?series=USD&key=mine&from=2026-11-01')).toBe('1');
});

test('parameters count in bodies too: forms, JSON and SOAP', async () => {
  const url = 'https://a.example/s';
  const soap = (code: string, day: string) =>
    `<s:Body><c:item>${code}</c:item><c:day>${day}</c:day></s:Body>`;
  const client = await clientOf(
    { method: 'POST', url, requestBody: 'code=USD&from=1' },
    { method: 'POST', url, requestBody: 'code=EUR&from=1' },
    { method: 'POST', url, requestBody: '{"codes":["USD"],"from":1}' },
    { method: 'POST', url, requestBody: '{"codes":["EUR"],"from":1,"to":null}' },
    { method: 'POST', url, requestBody: soap('0500', '2026-03-01') },
    { method: 'POST', url, requestBody: soap('2225', '2026-03-01') },
  );
  const post = async (options: object) => (await client.post(url, options)).text();
  expect(await post({ form: { code: 'EUR', from: '9' } })).toBe('2');
  expect(await post({ json: { codes: ['EUR'], from: 9, to: null } })).toBe('4');
  expect(await post({ body: soap('2225', '2026-11-01') })).toBe('6');
  // By local names, whatever their prefixes and attributes.
  expect(await post({ body: '<Body><item id="7">2225</item></Body>' })).toBe('6');
  expect(await post({ body: '<xs:Body><xs:item id="7">2225</xs:item></xs:Body>' })).toBe('6');
  expect(await post({ body: '<Body><idea>0500</idea><item>2225</item></Body>' })).toBe('6');
});

test('else the next of the same host, and then an error', async () => {
  const client = await clientOf(
    { url: 'https://b.example/z' },
    { url: 'https://a.example/2026/1' },
    { url: 'https://a.example/2026/2' },
  );
  expect([
    await get(client, 'https://a.example/2025/1'),
    await get(client, 'https://a.example/2025/2'),
  ]).toEqual(['2', '3']);
  await expect(get(client, 'https://a.example/2025/3')).rejects.toThrow(
    /the recording has no answer for this GET/,
  );
  await expect(get(client, 'https://c.example/z')).rejects.toThrow(/has no answer/);
});

test('statuses, headers and cookies as recorded', async () => {
  const client = await clientOf(
    { url: 'https://a.example/none', status: 404 },
    {
      url: 'https://a.example/form',
      responseHeaders: {
        'Content-Type': 'text/html',
        'Set-Cookie': 'a=1; Expires=Sun, 26-Apr-2026 22:20:58 GMT; Path=/, b=x=2; HttpOnly',
      },
    },
  );
  await expect(get(client, 'https://a.example/none')).rejects.toThrow(/responded with status 404/);
  expect((await client.get('https://a.example/none', { answers: [404] })).status).toBe(404);
  const form = await client.get('https://a.example/form');
  expect(form.headers.get('content-type')).toBe('text/html');
  expect(form.cookies).toEqual(['a=1; Expires=Sun, 26-Apr-2026 22:20:58 GMT; Path=/', 'b=x=2; HttpOnly']);
});

test.each([
  [['https://a.example/p?from=2026-03-01&to=2026-03-15'], { from: '2026-03-01', to: '2026-03-15' }],
  [
    ['https://a.example/p?d=02.03.2026', 'https://a.example/p?d=13.03.2026'],
    { from: '2026-03-02', to: '2026-03-13' },
  ],
  [['https://a.example/p?a=01/03/2026&b=02/03/2026'], { from: '2026-03-01', to: '2026-03-02' }],
  [['https://a.example/p?from=2026-03-01'], { from: '2026-03-01', to: '2026-03-22' }],
  [['https://a.example/p?month=2026-02-28'], { from: '2026-02-01', to: '2026-02-28' }],
  [['https://a.example/p?year=2024'], { from: '2024-01-01', to: '2024-12-31' }],
  [['https://a.example/p?to=2026-12-31&from=2026-03-20'], { from: '2026-03-20', to: '2026-03-22' }],
  [['https://a.example/archive.csv'], undefined],
])('the days that %s are about', async (urls, span) => {
  expect(recordedSpan(await recordingOf(...urls.map((url) => ({ url }))))).toEqual(span);
});

test('a recording is as old as its last answer', async () => {
  const recording = await recordingOf(
    { url: 'https://a.example/1', recordedAt: 'Wed, 15 Jul 2026 17:00:51 GMT' },
    { url: 'https://a.example/2', recordedAt: 'Thu, 11 Jun 2026 08:55:03 GMT' },
  );
  expect(recording.recordedAt.toISOString()).toBe('2026-07-15T17:00:51.000Z');
});
