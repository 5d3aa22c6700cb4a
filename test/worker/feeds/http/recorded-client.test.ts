import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { HttpClient } from '../../../../worker/feeds/http/client.js';
import {
  type Interaction,
  readRecording,
  recordedClient,
} from '../../../../worker/feeds/http/recorded-client.js';

type Entry = Partial<Omit<Interaction, 'url' | 'body'>> & { url: string };

/** Writes an index whose bodies are `1`, `2`, … in their order, and reads it. */
async function recordingOf(...entries: Entry[]) {
  const folder = await mkdtemp(join(tmpdir(), 'recording-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const index = entries.map((entry, at) => ({
    ...{ method: 'GET', requestHeaders: {}, requestBody: null, status: 200, responseHeaders: {} },
    ...{ bodyFile: `x-${at + 1}.txt`, recordedAt: 'Sun, 22 Mar 2026 20:56:07 GMT' },
    ...entry,
  }));
  await Promise.all(index.map((entry, at) => writeFile(join(folder, entry.bodyFile), String(at + 1))));
  await writeFile(join(folder, 'x.index.json'), JSON.stringify(index));
  return readRecording(join(folder, 'x.index.json'));
}
const clientOf = async (...entries: Entry[]) => recordedClient([await recordingOf(...entries)]);
const get = async (client: HttpClient, path: string) =>
  (await client.get(`https://a.example/${path}`)).text();
const urls = (...paths: string[]): Entry[] => paths.map((path) => ({ url: `https://a.example/${path}` }));

const XY = ['p?x=1&y=2', 'p?x=2&y=1'];
const [USD, EUR] = ['p?code=USD&key=%3CKEY%3E&from=1', 'p?code=EUR&key=%3CKEY%3E&from=1'];
test.each<[what: string, recorded: string[], asked: string[], bodies: string]>([
  ['the same request first, its query in any order', XY, ['p?y=1&x=2', 'p?y=2&x=1'], '21'],
  ['the answers to a request that was recorded twice, in turn', ['page', 'page'], ['page', 'page'], '12'],
  ['else that of most parameters', [USD, EUR], ['p?code=EUR&key=k&from=2', 'p?code=USD&key=k&from=2'], '21'],
])('%s', async (_, recorded, asked, bodies) => {
  const client = await clientOf(...urls(...recorded));
  for (const [at, path] of asked.entries()) expect(await get(client, path)).toBe(bodies[at]);
});

test('parameters count in bodies too: forms, JSON and SOAP', async () => {
  const soap = (code: string, day: string) =>
    `<s:Body><c:item>${code}</c:item><c:day>${day}</c:day></s:Body>`;
  const bodies = [
    ...['code=USD&from=1', 'code=EUR&from=1'],
    ...['{"codes":["USD"],"from":1}', '{"codes":["EUR"],"from":1,"to":null}'],
    ...[soap('0500', '2026-03-01'), soap('2225', '2026-03-01')],
  ];
  const url = 'https://a.example/s';
  const client = await clientOf(...bodies.map((requestBody) => ({ method: 'POST', url, requestBody })));
  const post = async (options: object) => (await client.post(url, options)).text();
  expect(await post({ form: { code: 'EUR', from: '9' } })).toBe('2');
  expect(await post({ json: { codes: ['EUR'], from: 9, to: null } })).toBe('4');
  // By local names, whatever their prefixes and attributes.
  const item = '<xs:Body><xs:item id="7">2225</xs:item></xs:Body>';
  const others = [item, item.replaceAll('xs:', ''), '<Body><idea>0500</idea><item>2225</item></Body>'];
  for (const body of [soap('2225', '2026-11-01'), ...others]) expect(await post({ body }), body).toBe('6');
});

test('else the next of the same host, and then an error', async () => {
  const client = await clientOf({ url: 'https://b.example/z' }, ...urls('2026/1', '2026/2'));
  expect([await get(client, '2025/1'), await get(client, '2025/2')]).toEqual(['2', '3']);
  await expect(get(client, '2025/3')).rejects.toThrow(/the recording has no answer for this GET/);
  await expect(client.get('https://c.example/z')).rejects.toThrow(/has no answer/);
});

test('statuses, headers and cookies as recorded', async () => {
  const cookie = 'a=1; Expires=Sun, 26-Apr-2026 22:20:58 GMT; Path=/';
  const responseHeaders = { 'Content-Type': 'text/html', 'Set-Cookie': `${cookie}, b=x=2; HttpOnly` };
  const [none, form] = ['https://a.example/none', 'https://a.example/form'];
  const client = await clientOf({ url: none, status: 404 }, { url: form, responseHeaders });
  await expect(client.get(none)).rejects.toThrow(/responded with status 404/);
  expect((await client.get(none, { answers: [404] })).status).toBe(404);
  const { headers, cookies } = await client.get(form);
  expect([headers.get('content-type'), cookies]).toEqual(['text/html', [cookie, 'b=x=2; HttpOnly']]);
});

test('a recording is as old as its last answer', async () => {
  const days = ['Wed, 15 Jul 2026 17:00:51 GMT', 'Thu, 11 Jun 2026 08:55:03 GMT'];
  const { recordedAt } = await recordingOf(
    ...days.map((recordedAt) => ({ url: 'https://a.example/', recordedAt })),
  );
  expect(recordedAt.toISOString()).toBe('2026-07-15T17:00:51.000Z');
});
