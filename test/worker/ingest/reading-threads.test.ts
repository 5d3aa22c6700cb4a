import { afterAll, expect, test } from 'vitest';
import { HttpClientError } from '../../../core/http-client/http-client-error.js';
import { openReader } from './threads-support.js';

const readers = [await openReader({ megabytes: 48 }), await openReader({ seconds: 1 })] as const;
const [{ read }, { read: readSoon }] = readers;
afterAll(() => Promise.all(readers.map(({ close }) => close())));

const LARGE = 15_000_000;
const RECORD = '{"date":"2026-03-19","code":"USD","rate":0.5}';

test('a source is read in a thread, with its evidence', async () => {
  const text = 'Day,Currency,Price\n2026-03-19,USD,0.5\n2026-03-20,JPY,-\n';
  const fetchedAt = new Date('2026-03-20T15:00:00Z');
  const sha256 = expect.stringMatching(/^[0-9a-f]{64}$/);
  const url = 'http://bank.test/2026-03-18/2026-03-20';
  expect(await read('DESK', text)).toEqual({
    rows: [{ date: '2026-03-19', base: 'USD', quote: 'EUR', rate: 0.5 }],
    dropped: {},
    skipped: { 'no rate': expect.anything() },
    noData: {},
    unread: [],
    mismatches: [],
    responses: [{ url, fetchedAt, sha256, bytes: text.length }],
  });
  const noData = { 'a holiday is an empty list': expect.anything() };
  expect(await read('LIST', '[]')).toMatchObject({ rows: [], noData });
});

test('what feeds and the network throw comes out of the thread', async () => {
  await expect(read('LIST', '<html>')).rejects.toMatchObject({
    name: 'FeedError',
    message: expect.stringContaining('responded with an HTML page where JSON was expected'),
  });
  const request = { method: 'GET', url: 'http://bank.test/', headers: {} } as const;
  const cause = new Error('why');
  const refused = new HttpClientError('status', request, 'responded with status 403', { status: 403, cause });
  const reading = read('LIST', () => {
    throw refused;
  });
  const { name, message, reason, status } = refused;
  await expect(reading).rejects.toMatchObject({ name, message, reason, status, cause: { message: 'why' } });
  await expect(read('NONE', '')).rejects.toThrow('there is no provider NONE');
});

test('a thread that takes too much memory is ended, and the next one reads on', async () => {
  await expect(read('LIST', `[${`${RECORD},`.repeat(LARGE / 46)}{}]`)).rejects.toMatchObject({
    name: 'FeedError',
    message: 'LIST: reading what it sent takes more than 48 MB of memory',
  });
  expect((await read('LIST', `[${RECORD}]`)).rows).toHaveLength(1);
});

test('a thread that takes too much time is ended, and the next one reads on', async () => {
  // All of it is one cell, in which each further line makes the parser look again.
  const lines = '2026-03-19,USD,0.5\n'.repeat(LARGE / 19);
  await expect(readSoon('DESK', `Day,Currency,Price\n${lines}`)).rejects.toMatchObject({
    name: 'FeedError',
    message: 'DESK: reading what it sent takes more than 1 s',
  });
  expect((await readSoon('DESK', 'Day,Currency,Price\n2026-03-19,USD,0.5\n')).rows).toHaveLength(1);
});
