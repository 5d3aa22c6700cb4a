import pino from 'pino';
import { expect, test } from 'vitest';
import {
  type Feed,
  type FeedContext,
  FeedError,
  type Figure,
  mismatch,
  noData,
  noRate,
  type Reading,
  ratesFrom,
  skipped,
} from '../../../worker/feeds/feed.js';
import { readRates } from '../../../worker/feeds/read.js';
import { parseDate } from '../../../worker/feeds/toolbox/dates.js';
import { numberOf } from '../../../worker/feeds/toolbox/numbers.js';
import { XmlElement } from '../../../worker/feeds/toolbox/xml.js';
import { answerOf } from './toolbox/answer.js';

const WEEK = { from: '2026-03-02', to: '2026-03-06' };
const usd = (date: string, rate: number | undefined): Figure => ({ date, base: 'USD', quote: 'EUR', rate });

/** Reads a feed whose every request is answered alike. */
function read(
  readings: (context: FeedContext) => AsyncIterable<Reading>,
  {
    window = WEEK,
    recorded = false,
    ...more
  }: Partial<Feed> & { window?: typeof WEEK; recorded?: boolean } = {},
) {
  const feed: Feed = { key: 'ECB', ...more, read: (_window, context) => readings(context) };
  const http = {
    get: async () => answerOf('body'),
    post: async () => answerOf('body'),
    pause: async () => {},
  };
  const context = { http, today: '2026-03-10', credentials: {}, log: pino({ level: 'silent' }), recorded };
  return readRates(feed, window, context);
}

const ask = ({ http }: FeedContext) => http.get('https://bank.example/rates');

test('every record is a rate, or counted by its reason with a sample', async () => {
  const records = [
    usd('2026-03-02', 0.9),
    usd('2026-03-03', undefined),
    usd('2026-03-04', 0),
    usd('2026-02-30', 1),
    usd('2026-03-04', Number.NaN),
    usd('2026-04-01', 1),
    { ...usd('2026-03-04', 1), base: undefined },
    { ...usd('2026-03-04', 90), units: 100 },
    { ...usd('2026-03-04', 90), units: undefined },
  ];
  const {
    rows,
    skipped: tally,
    responses,
  } = await read(async function* (context) {
    yield ratesFrom(await ask(context), WEEK, [...records, 'index', 'weekend'], (record) => {
      if (record === 'index') return skipped('an index');
      if (record === 'weekend') return noRate('a weekend');
      if (typeof record === 'string') throw new Error('not reached');
      return record;
    });
  });
  expect(rows.map(({ date, rate }) => [date, rate])).toEqual([
    ['2026-03-02', 0.9],
    ['2026-03-04', 0.9],
  ]);
  expect(Object.fromEntries(Object.entries(tally).map(([reason, { count }]) => [reason, count]))).toEqual({
    'no rate': 2,
    malformed: 3,
    'outside the days asked for': 1,
    'unknown name': 1,
    'an index': 1,
    'a weekend': 1,
  });
  expect(tally.malformed?.samples[0]).toMatch(/2026-02-30.*not a date/);
  expect(responses).toMatchObject([{ url: 'https://bank.example/rates?key=***', status: 200, bytes: 4 }]);
});

test('a response that the feed forgets fails the run and is named', async () => {
  const forgets = read(async function* (context) {
    yield ratesFrom(await ask(context), WEEK, [usd('2026-03-02', 1)], (one) => one);
    await ask(context);
  });
  await expect(forgets).rejects.toThrow(/rates\?key=\*\*\*: responded, and was read neither/);
});

test('a listing alone is no reading, and a listing that names nothing is no data', async () => {
  const listing = ({ navigation }: FeedContext) => navigation.get('https://bank.example/list');
  // biome-ignore lint/correctness/useYield: it forgets to read what the list leads to
  const lost = read(async function* (context) {
    await listing(context);
  });
  await expect(lost).rejects.toThrow(/leads to nothing that was read/);
  const { noData: reasons } = await read(async function* (context) {
    yield noData(await listing(context), 'the list has no bulletin of these days');
  });
  expect(Object.keys(reasons)).toEqual(['the list has no bulletin of these days']);
});

test('without a request only a weekend, or days that the source has not, may pass', async () => {
  const nothing = async function* () {};
  await expect(read(nothing)).rejects.toThrow(/asked for nothing, though 2026-03-02 is a weekday/);
  const reasons = async (...args: Parameters<typeof read>) => Object.keys((await read(...args)).noData);
  expect(await reasons(nothing, { window: { from: '2026-03-07', to: '2026-03-08' } })).toEqual([
    'only a weekend',
  ]);
  expect(await reasons(nothing, { firstDay: '2026-03-09' })).toEqual(['before the first day, 2026-03-09']);
  expect(await reasons(nothing, { lastDay: '1998-12-30' })).toEqual(['after the last day, 1998-12-30']);
});

test.each([
  ['no records', [], /no records that hold a rate/],
  ['nothing but marks of no rate', [usd('2026-03-02', undefined)], /no records that hold a rate/],
  ['unknown names alone', [{ ...usd('2026-03-02', 1), quote: undefined }], /0 of 1 records.*unknown name/],
  ['an unknown currency alone', [{ ...usd('2026-03-02', 1), quote: 'QQQ' }], /0 of 1 records/],
  ['other days alone', [usd('2025-03-02', 1)], /other days than asked for for 2026-03-02/],
  ['one rate among ten malformed', [usd('2026-03-02', 1), ...Array(10).fill(usd('x', 1))], /10 malformed/],
])('%s is an error, unless the feed says what an empty response means', async (name, records, message) => {
  const readings = async function* (context: FeedContext) {
    yield ratesFrom(await ask(context), WEEK, records, (record) => record);
  };
  await expect(read(readings)).rejects.toThrow(message);
  const without = name === 'no records' ? 'empty' : 'blank';
  const documented = read(readings, { [without]: 'a holiday has none' });
  if (name.startsWith('no')) {
    expect(Object.keys((await documented).noData)).toEqual(['a holiday has none']);
    const other = without === 'empty' ? 'blank' : 'empty';
    await expect(read(readings, { [other]: 'a holiday has none' })).rejects.toThrow(message);
  } else await expect(documented).rejects.toThrow(message);
});

test('a response about something else is an error, but for one that stands in a recording', async () => {
  const readings = async function* (context: FeedContext) {
    yield mismatch(await ask(context), 'answered yen where dollars were asked for');
  };
  await expect(read(readings)).rejects.toThrow(/answered yen/);
  expect((await read(readings, { recorded: true })).rows).toEqual([]);
});

test('an error of a tool that knows no address gets that of the response', async () => {
  const readings = async function* (context: FeedContext) {
    yield noData(await ask(context), '');
    throw new FeedError('not a date: "x"');
  };
  await expect(read(readings)).rejects.toThrow(
    /^https:\/\/bank\.example\/rates\?key=\*\*\*: not a date: "x"$/,
  );
});

test('months that can only be days, and no day above twelve: days and months are exchanged', async () => {
  const reading = (...printed: string[]) =>
    read(async function* (context) {
      yield ratesFrom(await ask(context), 'any day', printed, (text) =>
        usd(parseDate(text, 'MM/DD/YYYY'), 0.9),
      );
    });
  // 2 March and 13 March, printed the other way round: some are read as other days.
  const message = /no date has a day above 12, and 2 have a month above it: days and months are exchanged/;
  await expect(reading('02/03/2026', '03/03/2026', '04/03/2026', '13/03/2026', '16/03/2026')).rejects.toThrow(
    message,
  );
  // A slip in one date is that.
  const { rows, skipped } = await reading('03/02/2026', '03/03/2026', '03/04/2026', '13/03/2026');
  expect([rows.length, skipped.malformed?.count]).toEqual([3, 1]);
});

test('a malformed record names the fields that were looked for and are not there', async () => {
  const price = new XmlElement('Price', new Map(), [new XmlElement('Date', new Map(), [], '2026-03-02')], '');
  const records = [{ day: '2026-03-02', price: { mid: 0.9 } }, { day: '2026-03-03' }, { price }];
  const { skipped } = await read(async function* (context) {
    yield ratesFrom(await ask(context), WEEK, records, ({ day, price }) =>
      price instanceof XmlElement
        ? usd(price.text('Date') ?? '', numberOf(price.text('Mid')))
        : usd(day ?? '', numberOf(price?.mid)),
    );
  });
  expect(skipped.malformed?.samples).toEqual([
    '{"day":"2026-03-03"}: no number where one is expected (without price)',
    expect.stringMatching(/no number where one is expected \(without .*Mid\)/),
  ]);
});
