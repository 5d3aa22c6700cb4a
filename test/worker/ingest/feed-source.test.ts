import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ConfigurationError, readConfig } from '../../../core/process/config.js';
import type { Feed } from '../../../worker/feeds/feed.js';
import { openFeedSource } from '../../../worker/ingest/feed-source.js';
import { answer, httpStub } from '../../support/http-stub.js';

const clock = () => new Date('2026-03-20T18:00:00Z');

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'almanac-recordings-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A recording of one request, on 19 March 2026. */
async function record(key: string, name: string, query: string): Promise<void> {
  const place = join(folder, key.toLowerCase(), 'recorded');
  await mkdir(place, { recursive: true });
  const interaction = {
    method: 'GET',
    url: `https://bank.test/rates?${query}`,
    requestHeaders: {},
    requestBody: null,
    status: 200,
    responseHeaders: {},
    bodyFile: null,
    bytes: 0,
    recordedAt: 'Thu, 19 Mar 2026 10:40:24 GMT',
  };
  await writeFile(join(place, `${name}.index.json`), JSON.stringify([interaction]));
}

async function access(feed: Feed) {
  const source = await openFeedSource(readConfig({ FEEDS_FROM: folder }), clock);
  return source.open(feed);
}

const feedOf = (key: string) => ({ key }) as Feed;
const recorded = async (key: string) => (await access(feedOf(key))).recorded;

it('of several recordings of a source the one named after it alone is read', async () => {
  await record('ECB', 'a_newer', 'from=2026-03-01&to=2026-03-10');
  await record('ECB', 'ecb', 'from=2026-02-01&to=2026-02-10');
  await record('ECB', 'ecb_newer', 'from=2026-03-01&to=2026-03-10');
  expect(await recorded('ECB')).toEqual({ from: '2026-02-01', to: '2026-02-10' });
});

it.each(['abc', 'acb', 'bac', 'bca', 'cab', 'cba'])(
  'else the one with the newest days, and of those the longest: %s',
  async (order) => {
    const [short, long, older] = order;
    await record('ECB', `ecb_${short}`, 'from=2026-03-05&to=2026-03-10');
    await record('ECB', `ecb_${long}`, 'from=2026-03-01&to=2026-03-10');
    await record('ECB', `ecb_${older}`, 'from=2026-01-01&to=2026-03-09');
    expect(await recorded('ECB')).toEqual({ from: '2026-03-01', to: '2026-03-10' });
  },
);

it('what was recorded is answered as on the day of recording, with stand-ins for credentials', async () => {
  await record('ECB', 'ecb', 'format=csv');
  const { http, today, credentials } = await access({ ...feedOf('ECB'), credentials: ['ECB_KEY'] });
  expect((await http.get('https://bank.test/rates?format=csv')).status).toBe(200);
  expect(today).toBe('2026-03-19');
  expect(credentials).toEqual({ status: 'present', values: { ECB_KEY: '<ECB_KEY>' } });
});

it('a recording whose request names no day has all of history', async () => {
  await record('ECB', 'ecb', 'format=csv');
  expect(await recorded('ECB')).toEqual({ from: '1999-01-04', to: '2026-03-21' });
});

it('a source without a recording can not be opened, nor a folder that is none', async () => {
  await mkdir(join(folder, 'nb', 'recorded'), { recursive: true });
  await expect(recorded('NB')).rejects.toThrow(`${folder} holds no recording of NB`);
  const missing = readConfig({ FEEDS_FROM: join(folder, 'missing') });
  await expect(openFeedSource(missing, clock)).rejects.toThrow('missing is not a folder');
  await writeFile(join(folder, 'file'), '');
  const file = openFeedSource(readConfig({ FEEDS_FROM: join(folder, 'file') }), clock);
  await expect(file).rejects.toThrow(ConfigurationError);
  await expect(file).rejects.toThrow(`FEEDS_FROM: ${join(folder, 'file')} is not a folder`);
});

it('without recordings the source is asked itself, today', async () => {
  const source = await openFeedSource(readConfig({}), clock);
  const access = await source.open(feedOf('ECB'));
  await source.close();
  expect(access).toMatchObject({ today: '2026-03-20', credentials: { status: 'present' } });
  expect(access.recorded).toBeUndefined();
});

it('the source is asked with its credentials, or not where they are not configured', async () => {
  const feed = { ...feedOf('FRED'), credentials: ['FRED_API_KEY'] };
  for (const [variables, credentials] of [
    [{}, { status: 'missing', names: ['FRED_API_KEY'] }],
    [{ FRED_API_KEY: 'k3y' }, { status: 'present', values: { FRED_API_KEY: 'k3y' } }],
  ] as const) {
    const source = await openFeedSource(readConfig(variables), clock);
    expect((await source.open(feed)).credentials).toEqual(credentials);
    await source.close();
  }
});

describe('a source that is asked itself', () => {
  let stub: Awaited<ReturnType<typeof httpStub>>;
  beforeEach(async () => {
    stub = await httpStub();
    stub.route('/rates', answer('rates'));
  });
  afterEach(() => stub.close());

  it('answers now', async () => {
    const source = await openFeedSource(readConfig({}), clock);
    const { http } = await source.open(feedOf('ECB'));
    expect(await http.get(`${stub.url}/rates`)).toMatchObject({ status: 200, receivedAt: clock() });
    await source.close();
    await expect(http.get(`${stub.url}/rates`)).rejects.toThrow();
  });

  it('is not asked any more once the process stops', async () => {
    const source = await openFeedSource(readConfig({}), clock, AbortSignal.abort());
    const { http } = await source.open(feedOf('ECB'));
    await expect(http.get(`${stub.url}/rates`)).rejects.toThrow(/abort|stopped/);
    expect(stub.requests).toHaveLength(0);
    await source.close();
  });
});
