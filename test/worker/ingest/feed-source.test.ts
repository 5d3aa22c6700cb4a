import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readConfig } from '../../../core/process/config.js';
import type { Feed } from '../../../worker/feeds/feed.js';
import { openFeedSource } from '../../../worker/ingest/feed-source.js';
import { BEFORE_ALL } from '../../../worker/ingest/windows.js';

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

async function open(key: string) {
  const feed: Feed = {
    key,
    async *read() {
      yield* [];
    },
  };
  const source = await openFeedSource(readConfig({ FEEDS_FROM: folder }), clock);
  return (await source.open(feed)).recorded;
}

it('of several recordings of a source the one named after it alone is read', async () => {
  await record('ECB', 'ecb', 'from=2026-02-01&to=2026-02-10');
  await record('ECB', 'ecb_newer', 'from=2026-03-01&to=2026-03-10');
  expect(await open('ECB')).toEqual({ from: '2026-02-01', to: '2026-02-10' });
});

it('else the one with the newest days, and of those with the same newest day the longest', async () => {
  await record('ECB', 'ecb_a', 'from=2026-03-05&to=2026-03-10');
  await record('ECB', 'ecb_b', 'from=2026-03-01&to=2026-03-10');
  await record('ECB', 'ecb_c', 'from=2026-01-01&to=2026-03-09');
  expect(await open('ECB')).toEqual({ from: '2026-03-01', to: '2026-03-10' });
});

it('a recording whose request names no day has all of history', async () => {
  await record('ECB', 'ecb', 'format=csv');
  expect(await open('ECB')).toEqual({ from: BEFORE_ALL, to: '2026-03-19' });
});

it('a source without a recording can not be opened, nor a folder that is none', async () => {
  await mkdir(join(folder, 'nb', 'recorded'), { recursive: true });
  await expect(open('NB')).rejects.toThrow(`${folder} holds no recording of NB`);
  const missing = readConfig({ FEEDS_FROM: join(folder, 'missing') });
  await expect(openFeedSource(missing, clock)).rejects.toThrow('missing is not a folder');
});

it('without recordings the source is asked itself, today', async () => {
  const source = await openFeedSource(readConfig({}), clock);
  const access = await source.open({ key: 'ECB' } as Feed);
  await source.close();
  expect(access).toMatchObject({ today: '2026-03-20', credentials: { status: 'present' } });
  expect(access.recorded).toBeUndefined();
});
