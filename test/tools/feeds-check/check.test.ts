import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { checkFeed, type FeedCheck } from '../../../tools/feeds-check/check.js';
import { feed } from '../../../worker/banks/ecb.js';
import { type Feed, type FeedContext, mismatch, noData, type Window } from '../../../worker/feeds/feed.js';
import { type Recording, readRecording } from '../../../worker/feeds/http/recorded-client.js';
import { byDateBaseQuote, replayRecording as replay } from '../../../worker/feeds/replay.js';

const log = pino({ level: 'silent' });
const RATES = 'https://data-api.ecb.europa.eu/service/data/EXR/D..EUR.SP00.A';
const HEADING = 'FREQ,CURRENCY,TIME_PERIOD,OBS_VALUE';
let folder = '';
let recorded: Recording;

/** Writes a recording of one response, and returns the path of its index. */
async function record(place: string, name: string, url: string, body: string): Promise<string> {
  await mkdir(place, { recursive: true });
  const bodyFile = `${name}-01.csv`;
  const recording = {
    ...{ method: 'GET', url, requestHeaders: {}, requestBody: null, status: 200, bodyFile },
    ...{ responseHeaders: { 'Content-Type': 'text/csv' }, recordedAt: 'Thu, 05 Mar 2026 10:40:24 GMT' },
  };
  const index = join(place, `${name}.index.json`);
  await writeFile(index, JSON.stringify([recording]));
  await writeFile(join(place, bodyFile), body);
  return index;
}

/** Writes what is expected of 2 March, such as `USD 1.08, JPY 160`, without the currency that is ambiguous. */
async function expectRates(rates: string, ambiguous?: string): Promise<void> {
  const rows = rates
    .split(', ')
    .map((rate) => ['2026-03-02', 'EUR', rate.slice(0, 3), Number(rate.slice(4))]);
  const expectation = {
    ...{ recording: 'ecb', request: { after: '2026-03-02', upto: null }, count: rows.length, rows },
    compare: { from: '2026-03-02', to: '2026-03-02' },
    ambiguous: ambiguous ? [['2026-03-02', 'EUR', ambiguous]] : [],
  };
  await writeFile(join(folder, 'ecb', 'expected.json'), JSON.stringify([expectation]));
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'feeds-'));
  const days = `${HEADING}\nD,USD,2026-03-03,1.09\nD,USD,2026-03-02,1.08\nD,JPY,2026-03-02,160\nD,QQQ,2026-03-02,1\n`;
  const url = `${RATES}?format=csvdata&startPeriod=2026-03-02`;
  recorded = await readRecording(await record(join(folder, 'ecb', 'recorded'), 'ecb', url, days));
});
beforeEach(() => rm(join(folder, 'ecb', 'expected.json'), { force: true }));
afterAll(() => rm(folder, { recursive: true }));

test('a replay gives what would be stored, sorted, by default from the day of recording on', async () => {
  const rows = await replay(feed, recorded, { from: '2026-03-02' }, log);
  expect(rows.map(({ date, quote, rate }) => [date, quote, rate])).toEqual([
    ['2026-03-02', 'JPY', 160],
    ['2026-03-02', 'USD', 1.08],
    ['2026-03-03', 'USD', 1.09],
  ]);
  expect(await replay(feed, recorded, { from: '2026-03-02', to: '2026-03-02' }, log)).toHaveLength(2);
  const february = { from: '2026-02-20', now: new Date('2026-02-28T12:00:00Z') };
  expect(await replay(feed, recorded, february, log)).toHaveLength(2);
  // From the bank's first day on, where no day is named.
  const asked: string[] = [];
  const spied = {
    ...feed,
    read: (window: Window, context: FeedContext) => {
      asked.push(window.from);
      return feed.read(window, context);
    },
  };
  await replay(spied, recorded, {}, log);
  await replay({ ...spied, key: 'NONE' }, recorded, {}, log);
  expect(asked).toEqual(['1999-01-04', '1940-01-01']);
});

test('rates are sorted by date, then base, then quote', () => {
  const texts = ['2026-03-02 EUR JPY', '2026-03-02 EUR USD', '2026-03-02 USD EUR', '2026-03-03 AUD EUR'];
  const sorted = texts
    .map((text) => text.split(' '))
    .map(([date = '', base = '', quote = '']) => ({ date, base, quote, rate: 1 }));
  expect(sorted.toReversed().sort(byDateBaseQuote)).toEqual(sorted);
  expect(sorted.toSorted(byDateBaseQuote)).toEqual(sorted);
});

test('without an expectation, rows must come', async () => {
  const check = { key: 'ECB', expected: undefined, right: 3, whole: 0, ok: true };
  expect(await checkFeed(feed, folder, log)).toEqual(check);
});

test.each<[what: string, rates: string, ambiguous: string | undefined, check: Partial<FeedCheck>]>([
  ['rows of the days to compare', 'USD 1.08, JPY 160', undefined, { expected: 2, right: 2, ok: true }],
  ['rows without the ambiguous', 'USD 1.08', 'JPY', { expected: 1, right: 1, ok: true }],
  ['a wrong rate', 'USD 1.08, JPY 161', undefined, wrong('JPY is 160, not 161')],
  ['a row too many', 'USD 1.08', undefined, wrong('JPY is 160, not there')],
  ['a row too few', 'USD 1.08, JPY 160, CHF 1', undefined, wrong('CHF is missing')],
])('%s: it is compared with what is expected', async (_, rates, ambiguous, check) => {
  await expectRates(rates, ambiguous);
  expect(await checkFeed(feed, folder, log)).toMatchObject(check);
});

function wrong(error: string): Partial<FeedCheck> {
  return { ok: false, error: expect.stringContaining(error) };
}

test('a replay fails where the recording lacks what was asked for', async () => {
  const days = { from: '2024-01-02', to: '2024-01-03' };
  await expect(replay(feed, recorded, days, log)).rejects.toThrow(
    'the recording holds no rate of 2024-01-02 to 2024-01-03, and no answer to 1 of the requests, such as https://data-api',
  );
  // Its own answer to the very request tells that there is nothing, or is of other days.
  const asked: Feed = {
    ...feed,
    async *read(_window, { http }) {
      const query = { format: 'csvdata', startPeriod: '2026-03-02' };
      yield mismatch(await http.get(RATES, { query }), 'of other days');
    },
  };
  await expect(replay(asked, recorded, days, log)).rejects.toThrow('gives no documented reason');
  const closed: Feed = {
    ...asked,
    async *read(window, context) {
      for await (const { response } of asked.read(window, context))
        if (response) yield noData(response, 'closed');
    },
  };
  expect(await replay(closed, recorded, days, log)).toEqual([]);
});

describe('a recording that nobody cut', () => {
  const place = () => join(folder, 'ecb', 'whole');
  afterEach(() => rm(place(), { recursive: true }));

  test.each<[body: string, check: Partial<FeedCheck>]>([
    [`${HEADING}\nD,USD,2026-03-02,1.08\nD,USD,2020-01-03,1.1\n`, { right: 2, whole: 2, ok: true }],
    [
      `${HEADING}\nD,USD,2020-01-03,1.1\nD,USD,2026-03-02,1.09\n`,
      { right: 2, whole: 2, ok: false, error: 'archive: 2026-03-02 EUR USD is 1.09, not 1.08' },
    ],
    ['nothing', { whole: 0, ok: false }],
  ])('is read over all its days, and must agree with what is expected: %j', async (body, check) => {
    await expectRates('USD 1.08, JPY 160');
    await record(place(), 'archive', `${RATES}?format=csvdata`, body);
    expect(await checkFeed(feed, folder, log)).toMatchObject(check);
  });
});

test('a folder without recordings is reported', async () => {
  expect(await checkFeed({ ...feed, key: 'BOC' }, folder, log)).toMatchObject(wrong('ENOENT'));
});
