import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { checkFeed } from '../../../tools/feeds-check/check.js';
import { feed } from '../../../worker/banks/ecb.js';
import { type Feed, type FeedContext, mismatch, noData, type Window } from '../../../worker/feeds/feed.js';
import { byDateBaseQuote, replay } from '../../../worker/feeds/replay.js';

const log = pino({ level: 'silent' });
let folder = '';
let recorded = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'feeds-'));
  recorded = join(folder, 'ecb', 'recorded');
  await mkdir(recorded, { recursive: true });
  await writeFile(
    join(recorded, 'ecb.index.json'),
    JSON.stringify([
      {
        method: 'GET',
        url: 'https://data-api.ecb.europa.eu/service/data/EXR/D..EUR.SP00.A?format=csvdata&startPeriod=2026-03-02',
        requestHeaders: {},
        requestBody: null,
        status: 200,
        responseHeaders: { 'Content-Type': 'text/csv' },
        bodyFile: 'ecb-01.csv',
        recordedAt: 'Thu, 05 Mar 2026 10:40:24 GMT',
      },
    ]),
  );
  await writeFile(
    join(recorded, 'ecb-01.csv'),
    'FREQ,CURRENCY,TIME_PERIOD,OBS_VALUE\nD,USD,2026-03-03,1.09\nD,USD,2026-03-02,1.08\nD,JPY,2026-03-02,160\nD,QQQ,2026-03-02,1\n',
  );
});
beforeEach(() => rm(join(folder, 'ecb', 'expected.json'), { force: true }));
afterAll(() => rm(folder, { recursive: true }));

const expectation = (rows: unknown[], ambiguous: unknown[] = []) =>
  writeFile(
    join(folder, 'ecb', 'expected.json'),
    JSON.stringify([
      {
        recording: 'ecb',
        request: { after: '2026-03-02', upto: null },
        compare: { from: '2026-03-02', to: '2026-03-02' },
        count: rows.length,
        ambiguous,
        rows,
      },
    ]),
  );

test('a replay gives what would be stored, sorted, from the day of recording on unless told', async () => {
  const index = join(recorded, 'ecb.index.json');
  const rows = await replay(feed, index, { after: '2026-03-02' }, log);
  expect(rows.map(({ date, quote, rate }) => [date, quote, rate])).toEqual([
    ['2026-03-02', 'JPY', 160],
    ['2026-03-02', 'USD', 1.08],
    ['2026-03-03', 'USD', 1.09],
  ]);
  expect(await replay(feed, index, { after: '2026-03-02', upto: '2026-03-02' }, log)).toHaveLength(2);
  expect(
    await replay(feed, index, { after: '2026-02-20', now: new Date('2026-02-28T12:00:00Z') }, log),
  ).toHaveLength(2);
  // From the bank's first day on, where no day is named.
  const asked: string[] = [];
  const spied = {
    ...feed,
    read: (window: Window, context: FeedContext) => {
      asked.push(window.from);
      return feed.read(window, context);
    },
  };
  await replay(spied, index, {}, log);
  await replay({ ...spied, key: 'NONE' }, index, {}, log);
  expect(asked).toEqual(['1999-01-04', '1940-01-01']);
});

test('rates are sorted by date, then base, then quote', () => {
  const sorted = ['2026-03-02 EUR JPY', '2026-03-02 EUR USD', '2026-03-02 USD EUR', '2026-03-03 AUD EUR'].map(
    (text) => {
      const [date = '', base = '', quote = ''] = text.split(' ');
      return { date, base, quote, rate: 1 };
    },
  );
  expect(sorted.toReversed().sort(byDateBaseQuote)).toEqual(sorted);
  expect(sorted.toSorted(byDateBaseQuote)).toEqual(sorted);
});

test('without an expectation, rows must come', async () => {
  expect(await checkFeed(feed, folder, log)).toEqual({
    key: 'ECB',
    expected: undefined,
    right: 3,
    whole: 0,
    ok: true,
  });
});

test('rows are compared within the days to compare, without the ambiguous', async () => {
  await expectation([
    ['2026-03-02', 'EUR', 'USD', 1.08],
    ['2026-03-02', 'EUR', 'JPY', 160],
  ]);
  expect(await checkFeed(feed, folder, log)).toMatchObject({ expected: 2, right: 2, ok: true });
  await expectation([['2026-03-02', 'EUR', 'USD', 1.08]], [['2026-03-02', 'EUR', 'JPY']]);
  expect(await checkFeed(feed, folder, log)).toMatchObject({ expected: 1, right: 1, ok: true });
});

test.each([
  [
    'a wrong rate',
    [
      ['2026-03-02', 'EUR', 'USD', 1.08],
      ['2026-03-02', 'EUR', 'JPY', 161],
    ],
    /JPY is 160, not 161/,
  ],
  ['a row too many', [['2026-03-02', 'EUR', 'USD', 1.08]], /JPY is 160, not there/],
  [
    'a row too few',
    [
      ['2026-03-02', 'EUR', 'USD', 1.08],
      ['2026-03-02', 'EUR', 'JPY', 160],
      ['2026-03-02', 'EUR', 'CHF', 1],
    ],
    /CHF is missing/,
  ],
])('%s is told', async (_, rows, message) => {
  await expectation(rows);
  expect(await checkFeed(feed, folder, log)).toMatchObject({
    ok: false,
    error: expect.stringMatching(message),
  });
});

test('a replay fails where the recording lacks what was asked for', async () => {
  const index = join(recorded, 'ecb.index.json');
  const days = { after: '2024-01-02', upto: '2024-01-03' };
  await expect(replay(feed, index, days, log)).rejects.toThrow(
    'the recording holds no rate of 2024-01-02 to 2024-01-03, and no answer to 1 of the requests, such as https://data-api',
  );
  // Its own answer to the very request tells that there is nothing, or is of other days.
  const asked: Feed = {
    ...feed,
    async *read(_window, { http }) {
      const response = await http.get('https://data-api.ecb.europa.eu/service/data/EXR/D..EUR.SP00.A', {
        query: { format: 'csvdata', startPeriod: '2026-03-02' },
      });
      yield mismatch(response, 'of other days');
    },
  };
  await expect(replay(asked, index, days, log)).rejects.toThrow('gives no documented reason');
  const closed: Feed = {
    ...asked,
    async *read(window, context) {
      for await (const { response } of asked.read(window, context))
        if (response) yield noData(response, 'closed');
    },
  };
  expect(await replay(closed, index, days, log)).toEqual([]);
});

describe('a recording that nobody cut', () => {
  const place = () => join(folder, 'ecb', 'whole');
  const url = 'https://data-api.ecb.europa.eu/service/data/EXR/D..EUR.SP00.A?format=csvdata';
  const answer = { method: 'GET', url, requestBody: null, status: 200, responseHeaders: {} };

  async function wholeOf(body: string): Promise<void> {
    await mkdir(place(), { recursive: true });
    const recordedAt = 'Thu, 05 Mar 2026 10:40:24 GMT';
    const index = [{ ...answer, bodyFile: 'archive-01.csv', recordedAt }];
    await writeFile(join(place(), 'archive.index.json'), JSON.stringify(index));
    await writeFile(join(place(), 'archive-01.csv'), body);
  }
  afterEach(() => rm(place(), { recursive: true }));

  test('is read over all its days, and must agree with what is expected', async () => {
    await expectation([
      ['2026-03-02', 'EUR', 'USD', 1.08],
      ['2026-03-02', 'EUR', 'JPY', 160],
    ]);
    await wholeOf('FREQ,CURRENCY,TIME_PERIOD,OBS_VALUE\nD,USD,2026-03-02,1.08\nD,USD,2020-01-03,1.1\n');
    expect(await checkFeed(feed, folder, log)).toMatchObject({ right: 2, whole: 2, ok: true });
    await wholeOf('FREQ,CURRENCY,TIME_PERIOD,OBS_VALUE\nD,USD,2020-01-03,1.1\nD,USD,2026-03-02,1.09\n');
    expect(await checkFeed(feed, folder, log)).toMatchObject({
      right: 2,
      whole: 2,
      ok: false,
      error: 'archive: 2026-03-02 EUR USD is 1.09, not 1.08',
    });
    await wholeOf('nothing');
    expect(await checkFeed(feed, folder, log)).toMatchObject({ whole: 0, ok: false });
  });
});

test('a folder without recordings is told', async () => {
  expect(await checkFeed({ ...feed, key: 'BOC' }, folder, log)).toMatchObject({
    ok: false,
    error: expect.stringMatching(/ENOENT/),
  });
});
