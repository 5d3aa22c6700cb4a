import { Agent } from 'undici';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { notePurged, unpurgedVersions } from '../../../core/database/cdn-purges.js';
import { newestVersionNumber } from '../../../core/database/data-versions.js';
import type { RawRow } from '../../../core/domain/blend/carry-forward.js';
import { systemClock } from '../../../core/domain/clock.js';
import { readConfig } from '../../../core/process/config.js';
import { keepPurging } from '../../../worker/purge/keep-purging.js';
import { createSendPurge } from '../../../worker/purge/send-purge.js';
import { answer, type HttpStub, httpStub } from '../../support/http-stub.js';
import { storeRows } from '../../support/rates.js';
import { dollars, openLog, ownDatabase } from '../ingest/support.js';

const SECRET = 'only-for-the-cdn';
const { CDN_PURGE_HEADER } = readConfig({ CDN_PURGE_HEADER: `X-Purge: ${SECRET}` });
const SOON = { name: 'soon', delayMs: 50 };
const soon = { timeout: 30_000, interval: 20 };

const database = await ownDatabase();
let cdn: HttpStub;
let outcomes: string[];
let written: ReturnType<typeof openLog>;
const open: { close(): Promise<void> }[] = [];

beforeEach(async () => {
  await database.pool.query('delete from cdn_purges');
  cdn = await httpStub({ 'POST /purge': answer('') });
  [outcomes, written] = [[], openLog()];
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()));
  await cdn.close();
});

function start(rounds = [SOON]) {
  const agent = new Agent();
  const send = createSendPurge(`${cdn.url}/purge`, CDN_PURGE_HEADER, agent);
  const onPurge = (outcome: string) => outcomes.push(outcome);
  const purging = keepPurging({ database, send, clock: systemClock, ...written, onPurge, rounds });
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= purging.close().then(() => agent.close());
    return closed;
  };
  open.push({ close });
  return close;
}

const row = (provider: string, date: string): RawRow => ({ provider, ...dollars(date) });
const logged = () => JSON.stringify(written.lines);
const keysSent = () => cdn.requests.map(({ headers }) => String(headers['surrogate-key']).split(' '));
/** A round begins with what comes after its first purge. */
const hasBegun = (round = 'soon') =>
  vi.waitFor(async () => expect(await unpurgedVersions(database, round)).toEqual([]), soon);

test('what changes is purged in each round, and not what was there before', async () => {
  await storeRows(database, [row('ECB', '2026-01-05')]);
  start([SOON, { name: 'late', delayMs: 500 }]);
  await Promise.all([hasBegun('soon'), hasBegun('late')]);
  expect(cdn.requests).toEqual([]);

  await storeRows(database, [row('ECB', '2026-03-17')]);
  await vi.waitFor(() => expect(cdn.requests).toHaveLength(2), soon);
  for (const [at, { headers, body }] of cdn.requests.entries()) {
    const tags = ['now', 'b-2026-03', 'b-2026', 'raw-2026-03', 'raw-2026', 'ecb-2026-03', 'ecb-2026'];
    expect(headers).toMatchObject({ 'x-purge': SECRET, 'content-type': 'application/json' });
    expect(keysSent()[at]).toEqual(expect.arrayContaining(tags));
    expect(JSON.parse(body)).toEqual({ tags: keysSent()[at] });
  }
  await Promise.all([hasBegun('soon'), hasBegun('late')]);
  expect(logged()).toContain('told the CDN what changed');
  expect(logged()).toContain('ecb-2026-03');
  expect(logged()).not.toContain(SECRET);
  expect(outcomes).toEqual(['succeeded', 'succeeded']);
});

test('versions that come together are purged in one request', async () => {
  await notePurged(database, 'soon', 0n, new Date());
  await storeRows(database, [row('ECB', '2026-03-17'), row('BOC', '2026-02-17'), row('FRED', '1999-01-04')]);
  start();
  await hasBegun();
  expect(keysSent()).toHaveLength(1);
  expect(keysSent()[0]).toEqual(expect.arrayContaining(['ecb-2026-03', 'boc-2026-02', 'fred-1999-01']));
  expect(new Set(keysSent()[0]).size).toBe(keysSent()[0]?.length);
});

test('a CDN that is down is asked later, also by another worker than the one that tried', async () => {
  await notePurged(database, 'soon', 0n, new Date());
  cdn.route('POST /purge', answer(SECRET, 503));
  await storeRows(database, [row('ECB', '2026-03-17')]);
  const close = start();
  await vi.waitFor(() => expect(outcomes.length).toBeGreaterThan(1), soon);
  await close();
  expect(new Set(outcomes)).toEqual(new Set(['failed']));
  expect(logged()).toContain('responded with status 503');
  expect(logged()).not.toContain(SECRET);
  expect(await unpurgedVersions(database, 'soon')).toHaveLength(1);

  await storeRows(database, [row('BOC', '2026-02-17')]);
  const failed = cdn.requests.length;
  start();
  await vi.waitFor(() => expect(cdn.requests.length).toBeGreaterThan(failed), soon);
  cdn.route('POST /purge', answer(''));
  await hasBegun();
  expect(keysSent().at(-1)).toEqual(expect.arrayContaining(['ecb-2026-03', 'boc-2026-02']));
});

test('of two workers one purges', async () => {
  await notePurged(database, 'soon', 0n, new Date());
  await storeRows(database, [row('ECB', '2026-03-17')]);
  const closes = [start(), start()];
  await hasBegun();
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  await Promise.all(closes.map((close) => close()));
  expect(cdn.requests).toHaveLength(1);
  expect(outcomes).toEqual(['succeeded']);
});

test('a database that was put back to an earlier version is purged as a whole', async () => {
  await storeRows(database, [row('ECB', '2026-03-17')]);
  await notePurged(database, 'soon', (await newestVersionNumber(database)) + 7n, new Date());
  start();
  await hasBegun();
  expect(keysSent()).toHaveLength(1);
  expect(keysSent()[0]).toContain('ecb-2026-03');
});

test('more keys than a CDN takes at once are sent in several requests', async () => {
  const agent = new Agent();
  const keys = Array.from({ length: 250 }, (_, at) => `key-${at}`);
  const { signal } = new AbortController();
  await createSendPurge(`${cdn.url}/purge`, undefined, agent)(keys, signal);
  expect(keysSent().map(({ length }) => length)).toEqual([100, 100, 50]);
  expect(keysSent().flat()).toEqual(keys);
  await agent.close();
});

test.each([
  ['Fastly-Key: abc', { name: 'fastly-key', value: 'abc' }],
  ['Authorization:  Bearer a:b ', { name: 'authorization', value: 'Bearer a:b' }],
])('the header %s', (text, header) => {
  expect(readConfig({ CDN_PURGE_HEADER: text }).CDN_PURGE_HEADER).toEqual(header);
});

const ODD = [
  `Fastly-Key ${SECRET}`,
  `: ${SECRET}`,
  'Fastly-Key:',
  `Fastly Key: ${SECRET}`,
  `A: ${SECRET}\nB: c`,
];
test.each(ODD)('the header %j is refused, and not shown', (text) => {
  const reading = () => readConfig({ CDN_PURGE_HEADER: text });
  expect(reading).toThrow(/^invalid configuration: CDN_PURGE_HEADER: must be/);
  expect(reading).not.toThrow(SECRET);
});
