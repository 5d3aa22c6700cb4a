import pino from 'pino';
import { expect, test } from 'vitest';
import { HttpClientError } from '../../../core/http-client/http-client-error.js';
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

const ratesOf = (records: readonly Figure[]) =>
  async function* (context: FeedContext) {
    yield ratesFrom(await ask(context), 'any day', records, (record) => record);
  };
const GAP = 'no rate for more than two weeks';

test.each([
  [
    'between two rates',
    '2026-03-02',
    ['2026-03-02', '2026-03-19'],
    '2026-03-19',
    16,
    '2026-03-03 to 2026-03-18',
  ],
  ['before the first rate', '2026-02-01', ['2026-03-01'], '2026-03-02', 28, '2026-02-01 to 2026-02-28'],
  ['after the last rate', '2026-03-01', ['2026-03-01'], '2026-03-17', 16, '2026-03-02 to 2026-03-17'],
  [
    'whose days came in another order',
    '2026-03-02',
    ['2026-03-19', '2026-03-02'],
    '2026-03-19',
    16,
    '2026-03-03 to 2026-03-18',
  ],
])(
  'days without a rate %s are counted where they are more than fifteen',
  async (_, from, days, to, count, sample) => {
    const { skipped } = await read(ratesOf(days.map((day) => usd(day, 0.9))), { window: { from, to } });
    expect(skipped).toEqual({ [GAP]: { count, samples: [sample, sample, sample] } });
  },
);

test.each([
  ['of fifteen days', {}, { from: '2026-03-02', to: '2026-03-18' }],
  ['before the source began', {}, { from: '1998-11-01', to: '1999-01-19' }],
  ['of a source that publishes a month at once', { key: 'BOA' }, { from: '2026-02-02', to: '2026-03-18' }],
  ['of rates that hold for a period', { key: 'JPC' }, { from: '2026-02-02', to: '2026-03-18' }],
])('a gap %s is none', async (_, feed, window) => {
  const days = window.from < '1999' ? ['1999-01-04'] : [window.from, window.to];
  expect((await read(ratesOf(days.map((day) => usd(day, 0.9))), { ...feed, window })).skipped).toEqual({});
});

test.each([
  [{ empty: 'a holiday has none' }, []],
  [{ blank: 'ND marks a holiday' }, [usd('2026-03-02', undefined)]],
])('a window of more than two weeks without any rate is no holiday: %j', async (feed, records) => {
  const readings = async function* (context: FeedContext) {
    yield ratesFrom(
      await ask(context),
      { from: '2026-03-01', to: '2026-03-31' },
      records,
      (record) => record,
    );
  };
  const during = (to: string) => read(readings, { ...feed, window: { from: '2026-03-02', to } });
  expect(Object.keys((await during('2026-03-16')).noData)).toEqual(Object.values(feed));
  const { noData: reasons, skipped } = await during('2026-03-17');
  expect([reasons, skipped[GAP]?.count]).toEqual([{}, 16]);
});

test.each([
  [
    'Sundays to Thursdays of two weeks',
    {},
    [1, 2, 3, 4, 5, 8, 9, 10, 11, 12],
    /of 10 dates 2 are of weekends/,
  ],
  ['all days but a Friday', {}, [1, 2, 3, 4, 5, 7, 8, 9, 10, 11], /of 10 dates 3 are of weekends/],
  ['fewer days', {}, [1, 2, 3, 4, 5, 8, 9, 10, 11], undefined],
  ['a single Sunday', {}, [1, 2, 3, 4, 5, 9, 10, 11, 12, 16], undefined],
  ['all weekdays, and both weekends', {}, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], undefined],
  [
    'a feed whose dates are Sundays at times',
    { weekends: true },
    [1, 2, 3, 4, 5, 8, 9, 10, 11, 12],
    undefined,
  ],
  ['a bank that publishes on Sundays', { key: 'HKMA' }, [1, 2, 3, 4, 5, 8, 9, 10, 11, 12], undefined],
] as const)('dates by weekday: %s', async (_, feed, days, message) => {
  const records = days.map((day) => usd(`2026-03-${String(day).padStart(2, '0')}`, 0.9));
  const reading = read(ratesOf(records), { ...feed, window: { from: '2026-03-01', to: '2026-03-16' } });
  if (message) await expect(reading).rejects.toThrow(message);
  else expect((await reading).rows).toHaveLength(days.length);
});

test.each([
  [401, ['KEY'], 'CredentialsRefused'],
  [403, ['KEY'], 'CredentialsRefused'],
  [404, ['KEY'], 'HttpClientError'],
  [403, undefined, 'HttpClientError'],
])('status %i of a source with credentials %j is a %s', async (status, credentials, name) => {
  const asked = { method: 'GET', url: 'https://bank.example/rates' } as const;
  const refusal = new HttpClientError('status', asked, `responded with status ${status}`, { status });
  // biome-ignore lint/correctness/useYield: it is refused before
  const refused = read(async function* () {
    throw refusal;
  }, credentials && { credentials });
  const thrown = await refused.catch((error: unknown) => error);
  expect(thrown).toMatchObject({ name, message: refusal.message });
  expect(thrown === refusal ? undefined : (thrown as Error).cause).toBe(
    name === 'HttpClientError' ? undefined : refusal,
  );
});

test('two readings count together, with three samples of each reason', async () => {
  const { rows, skipped: tally } = await read(async function* (context) {
    for (const rate of [1 / 3, 0.333333333333, 0.4])
      yield ratesFrom(await ask(context), WEEK, [usd('2026-03-03', rate), 'a', 'b'], (record) =>
        typeof record === 'string' ? skipped('a note') : record,
      );
  });
  expect(rows).toEqual([usd('2026-03-03', 0.333333333333)]);
  expect(tally).toEqual({
    'a note': { count: 6, samples: ['a', 'b', 'a'] },
    'another rate for the same day': {
      count: 1,
      samples: ['2026-03-03 USD EUR: 0.4 after 0.333333333333'],
    },
  });
});

test('an archive without a day of the window says which it has', async () => {
  const { rows, skipped: tally } = await read(ratesOf([usd('2026-01-02', 1), usd('2026-01-05', 1)]));
  expect([rows, tally]).toEqual([
    [],
    { 'outside the days asked for': { count: 1, samples: ['2026-01-02 USD/EUR'] } },
  ]);
  await expect(read(ratesOf([usd('2026-03-02', undefined)]), { blank: 'a holiday' })).rejects.toThrow(
    /an archive without a rate; 1 no rate, such as \{"date":"2026-03-02"/,
  );
});

test('why a feed was not asked, or asked for nothing', async () => {
  const nothing = async function* () {};
  const after = { from: '2026-03-12', to: '2026-03-11' };
  const { noData: unasked } = await read(nothing, { unasked: 'no month begins in the window' });
  expect(unasked).toEqual({
    'no month begins in the window': { count: 1, samples: ['2026-03-02 to 2026-03-06'] },
  });
  expect((await read(nothing, { firstDay: '2026-03-09' })).noData).toEqual({
    'before the first day, 2026-03-09': { count: 1, samples: ['2026-03-02 to 2026-03-06'] },
  });
  expect((await read(nothing, { window: after })).noData).toEqual({});
});

test('what a table asked for by its day may be of, and a window two days more', async () => {
  const days = async (asked: { from: string; to: string; exact?: true }) => {
    const printed = ['2026-03-01', '2026-03-02', '2026-03-03', '2026-03-04', '2026-03-05', '2026-03-06'];
    const window = { from: '2026-03-01', to: '2026-03-06' };
    const { rows } = await read(
      async function* (context) {
        yield ratesFrom(await ask(context), asked, printed, (day) => usd(day, 1));
      },
      { window },
    );
    return rows.map(({ date }) => date.slice(8));
  };
  expect(await days({ from: '2026-03-02', to: '2026-03-03' })).toEqual(['02', '03', '04', '05']);
  expect(await days({ from: '2026-03-02', to: '2026-03-03', exact: true })).toEqual(['02', '03']);
  expect(await days({ from: '2026-03-03', to: '2026-03-03' })).toEqual(['03']);
});

test('most of ten records malformed or contradicting others are another layout', async () => {
  const reading = (good: number, bad: number) =>
    read(
      ratesOf([
        ...Array.from({ length: good }, (_, at) => usd(`2026-03-${10 + at}`, 1)),
        ...Array.from({ length: bad }, () => usd('2026-03-10', 2)),
      ]),
      { window: { from: '2026-03-09', to: '2026-03-24' } },
    );
  await expect(reading(9, 10)).rejects.toThrow(
    /: 9 of 19 records give a rate; 10 another rate for the same day/,
  );
  expect((await reading(8, 9)).rows).toHaveLength(8);
  expect((await reading(10, 10)).rows).toHaveLength(10);
});

test('a record that repeats one before it is not counted, and long ones are quoted in part', async () => {
  const long = { ...usd('x', 1), note: 'y'.repeat(200) };
  const { rows, skipped: tally } = await read(ratesOf([usd('2026-03-02', 1), usd('2026-03-02', 1), long]));
  expect(rows).toHaveLength(1);
  expect(tally).toEqual({
    malformed: { count: 1, samples: [expect.stringMatching(/^.{160}…: not a date: "x"$/)] },
  });
});

test.each([
  [{ units: 0 }, 'not a number of units of USD: 0'],
  [{ units: 1.5 }, 'not a number of units of USD: 1.5'],
  [{ units: undefined }, 'no units for the rate of USD'],
  [{ rate: -1 }, 'not a rate of USD/EUR: -1'],
  [{ rate: Number.POSITIVE_INFINITY }, 'not a rate of USD/EUR: Infinity'],
])('%j makes a record malformed', async (more, message) => {
  const records = [usd('2026-03-02', 1), { ...usd('2026-03-03', 1), ...more }];
  expect((await read(ratesOf(records))).skipped.malformed?.samples).toEqual([
    expect.stringContaining(message),
  ]);
});

test('what is no FeedError ends the run as it is', async () => {
  const mistake = new TypeError('a mistake');
  const mistaken = read(async function* (context) {
    yield ratesFrom(await ask(context), WEEK, [1], () => {
      throw mistake;
    });
  });
  await expect(mistaken).rejects.toBe(mistake);
});
