import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { checkFeed } from '../../../tools/feeds-check/check.js';
import { feed } from '../../../worker/banks/ecb.js';
import type { FeedContext, Window } from '../../../worker/feeds/feed.js';
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
  expect(asked).toEqual(['1999-01-04', '1950-01-01']);
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
  expect(await checkFeed(feed, folder, log)).toEqual({ key: 'ECB', expected: undefined, right: 3, ok: true });
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

test('a folder without recordings is told', async () => {
  expect(await checkFeed({ ...feed, key: 'BOC' }, folder, log)).toMatchObject({
    ok: false,
    error: expect.stringMatching(/ENOENT/),
  });
});
