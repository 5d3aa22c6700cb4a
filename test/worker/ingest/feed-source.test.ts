import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ConfigurationError, readConfig } from '../../../core/process/config.js';
import type { Feed } from '../../../worker/feeds/feed.js';
import { openFeedSource } from '../../../worker/ingest/feed-source.js';
import { ownFolder } from '../../core/support.js';
import { answer, httpStub } from '../../support/http-stub.js';

const clock = () => new Date('2026-03-20T18:00:00Z');
const feedOf = (key: string, more: Partial<Feed> = {}) => ({ key, ...more }) as Feed;

const folder = ownFolder();

/** A recording of a request to ECB, on 19 March 2026. */
async function record(name: string, query: string): Promise<void> {
  const place = folder('ecb', 'recorded');
  await mkdir(place, { recursive: true });
  const interaction = {
    ...{ method: 'GET', url: `https://bank.test/rates?${query}`, requestHeaders: {}, requestBody: null },
    ...{ status: 200, responseHeaders: {}, bodyFile: null, recordedAt: 'Thu, 19 Mar 2026 10:40:24 GMT' },
  };
  await writeFile(join(place, `${name}.index.json`), JSON.stringify([interaction]));
}

const open = (variables: Record<string, string>, stopping?: AbortSignal) =>
  openFeedSource(readConfig(variables), clock, stopping);
const access = async (feed = feedOf('ECB')) => (await open({ FEEDS_FROM: folder() })).open(feed);

it('of several recordings of a source the one named after it alone is read', async () => {
  for (const name of ['a_newer', 'ecb_newer']) await record(name, 'from=2026-03-01&to=2026-03-10');
  await record('ecb', 'from=2026-02-01&to=2026-02-10');
  expect((await access()).recorded).toEqual({ from: '2026-02-01', to: '2026-02-10' });
});

it.each(['abc', 'acb', 'bac', 'bca', 'cab', 'cba'])(
  'else the one with the newest days, and of those the longest: %s',
  async ([short, long, older]) => {
    await record(`ecb_${short}`, 'from=2026-03-05&to=2026-03-10');
    await record(`ecb_${long}`, 'from=2026-03-01&to=2026-03-10');
    await record(`ecb_${older}`, 'from=2026-01-01&to=2026-03-09');
    expect((await access()).recorded).toEqual({ from: '2026-03-01', to: '2026-03-10' });
  },
);

it('a recording answers as on its day, with stand-ins for credentials, and without days about all of history', async () => {
  await record('ecb', 'format=csv');
  const { http, ...opened } = await access(feedOf('ECB', { credentials: ['ECB_KEY'] }));
  expect((await http.get('https://bank.test/rates?format=csv')).status).toBe(200);
  expect(opened).toEqual({
    today: '2026-03-19',
    credentials: { status: 'present', values: { ECB_KEY: '<ECB_KEY>' } },
    recorded: { from: '1999-01-04', to: '2026-03-21' },
  });
});

it('a source without a recording can not be opened, nor a folder that is none', async () => {
  await mkdir(folder('nb', 'recorded'), { recursive: true });
  await expect(access(feedOf('NB'))).rejects.toThrow(`${folder()} has no recording of NB`);
  await writeFile(folder('file'), '');
  for (const none of [folder('missing'), folder('file')]) {
    const error = new ConfigurationError(`FEEDS_FROM: ${none} is not a folder`);
    await expect(open({ FEEDS_FROM: none })).rejects.toThrow(error);
  }
});

it.each([
  ['ECB', [], {}, { status: 'present' }],
  ['FRED', ['FRED_API_KEY'], {}, { status: 'missing', names: ['FRED_API_KEY'] }],
  ['FRED', ['FRED_API_KEY'], { FRED_API_KEY: 'k' }, { status: 'present', values: { FRED_API_KEY: 'k' } }],
])('without recordings %s is asked itself, today: %j %j', async (key, names, variables, credentials) => {
  const source = await open(variables);
  const opened = await source.open(feedOf(key, { credentials: names }));
  await source.close();
  expect(opened).toMatchObject({ today: '2026-03-20', credentials });
  expect(opened.recorded).toBeUndefined();
});

it('a source answers now, until it is closed or the process stops', async () => {
  const stub = await httpStub({ '/rates': answer('rates') });
  const ask = async (source: Awaited<ReturnType<typeof open>>) =>
    (await source.open(feedOf('ECB'))).http.get(`${stub.url}/rates`);
  const source = await open({});
  expect(await ask(source)).toMatchObject({ status: 200, receivedAt: clock() });
  await source.close();
  await expect(ask(source)).rejects.toThrow();
  const stopped = await open({}, AbortSignal.abort());
  await expect(ask(stopped)).rejects.toThrow(/abort|stopped/);
  expect(stub.requests).toHaveLength(1);
  await stopped.close();
  await stub.close();
});
