import pino from 'pino';
import { describe, expect, test } from 'vitest';
import { HttpClientError } from '../../../core/http-client/http-client-error.js';
import { credentialsFor, placeholderCredentials } from '../../../worker/feeds/credentials.js';
import { normalizeCode } from '../../../worker/feeds/eras.js';
import {
  CredentialsRefused,
  type Feed,
  FeedError,
  mismatch,
  oneOfMany,
  type RateRow,
  type Reading,
  ratesFrom,
  type Window,
} from '../../../worker/feeds/feed.js';
import { readRates } from '../../../worker/feeds/read.js';
import { validate } from '../../../worker/feeds/validate.js';
import { answerOf } from './toolbox/answer.js';

const row = (date: string, base: string, quote: string, rate: number): RateRow => ({
  date,
  base,
  quote,
  rate,
});

function feedOf(rows: RateRow[], asked: Window[] = []): Feed {
  return {
    key: 'ECB',
    async *read(window) {
      asked.push(window);
      yield ratesFrom(answerOf(''), 'any day', rows, (one) => one);
    },
  };
}

const context = {
  http: { get: fail, post: fail },
  today: '2026-03-10',
  credentials: {},
  log: pino({ level: 'silent' }),
};

function fail(): never {
  throw new Error('not asked');
}

test('trims to both ends, keeps the first of two and twelve digits', async () => {
  const { rows } = await readRates(
    feedOf([
      row('2026-03-01', 'EUR', 'USD', 1),
      row('2026-03-02', 'EUR', 'USD', 1 / 3),
      row('2026-03-02', 'EUR', 'USD', 2),
      row('2026-03-02', 'USD', 'EUR', 3),
      row('2026-03-03', 'EUR', 'USD', 4),
      row('2026-03-04', 'EUR', 'USD', 5),
    ]),
    { from: '2026-03-02', to: '2026-03-03' },
    context,
  );
  expect(rows).toEqual([
    row('2026-03-02', 'EUR', 'USD', 0.333333333333),
    row('2026-03-02', 'USD', 'EUR', 3),
    row('2026-03-03', 'EUR', 'USD', 4),
  ]);
});

test('an open window asks up to today and takes what is already dated after it', async () => {
  const asked: Window[] = [];
  const days = ['2026-03-10', '2026-03-11', '2026-03-12', '2026-03-13'];
  const { rows } = await readRates(
    feedOf(
      days.map((day) => row(day, 'EUR', 'USD', 1)),
      asked,
    ),
    { from: '2026-03-09' },
    context,
  );
  expect(asked).toEqual([{ from: '2026-03-09', to: '2026-03-10' }]);
  expect(rows.map(({ date }) => date)).toEqual(['2026-03-10', '2026-03-11', '2026-03-12']);
});

test('a window that ends before it begins is not asked for', async () => {
  const asked: Window[] = [];
  const { rows } = await readRates(feedOf([], asked), { from: '2026-03-09', to: '2026-03-08' }, context);
  expect(rows).toEqual([]);
  expect(asked).toEqual([]);
});

test('what can be no rate is dropped and counted by reason', () => {
  const good = [
    row('2026-03-10', 'EUR', 'USD', 1.08),
    row('2026-03-12', 'USD', 'XAU', 0.0002),
    row('1999-01-04', 'EUR', 'USD', 1.18),
    row('2026-03-10', 'USD', 'ZWL', 1e20),
    row('2026-03-10', 'ZWL', 'USD', 1e-20),
  ];
  const { rows, dropped } = validate(
    [
      ...good,
      row('2026-03-10', 'EUR', 'ABC', 1),
      row('2026-03-10', 'usd', 'EUR', 1),
      row('2026-03-10', 'EUR', 'USD', 0),
      row('2026-03-10', 'EUR', 'USD', -1),
      row('2026-03-10', 'EUR', 'USD', Number.NaN),
      row('2026-03-10', 'EUR', 'USD', Number.POSITIVE_INFINITY),
      row('2026-02-30', 'EUR', 'USD', 1),
      row('2026-03-10', 'MWK', 'USD', 1e-309),
      row('2026-03-10', 'MWK', 'USD', 9.99e-21),
      row('2026-03-10', 'USD', 'MWK', 1.01e20),
      row('2026-03-13', 'EUR', 'USD', 1),
      row('2026-03-10', 'DEM', 'USD', 1),
      row('1999-01-03', 'EUR', 'USD', 1),
    ],
    { today: '2026-03-10' },
  );
  expect(rows).toEqual(good);
  expect(dropped).toEqual({
    'unknown-currency': 2,
    malformed: 5,
    'out-of-bounds': 3,
    future: 1,
    'after-end': 1,
    'before-start': 1,
  });
});

test('a currency that a provider goes on publishing is kept for it, and for no other', () => {
  const rows = [row('2026-03-10', 'ANG', 'VES', 470.2), row('2026-03-10', 'CUP', 'ANG', 13)];
  expect(validate(rows, { today: '2026-03-10', provider: 'BCV' })).toEqual({ rows, dropped: {} });
  expect(validate(rows, { today: '2026-03-10', provider: 'ECB' }).dropped).toEqual({ 'after-end': 2 });
  const hrk = [row('2026-03-10', 'HRK', 'VES', 1)];
  expect(validate(hrk, { today: '2026-03-10', provider: 'BCV' }).dropped).toEqual({ 'after-end': 1 });
});

test('credentials are all there or named', () => {
  const feed: Feed = { ...feedOf([]), credentials: ['BCCH_USER', 'BCCH_PASS'] };
  expect(credentialsFor(feed, { BCCH_USER: 'me', BCCH_PASS: 'hush', OTHER: 'x' })).toEqual({
    status: 'present',
    values: { BCCH_USER: 'me', BCCH_PASS: 'hush' },
  });
  expect(credentialsFor(feed, { BCCH_USER: 'me', BCCH_PASS: '' })).toEqual({
    status: 'missing',
    names: ['BCCH_PASS'],
  });
  expect(credentialsFor(feedOf([]), {})).toEqual({ status: 'present', values: {} });
  expect(placeholderCredentials(feed)).toEqual({ BCCH_USER: '<BCCH_USER>', BCCH_PASS: '<BCCH_PASS>' });
});

test('units that a bank prints wrong are set right on either side of a pair', () => {
  expect(normalizeCode('BAM', row('2017-01-02', 'MRO', 'MAD', 2))).toEqual(
    row('2017-01-02', 'MRO', 'MAD', 0.02),
  );
  expect(normalizeCode('BAM', row('2017-01-02', 'MAD', 'MRO', 0.5))).toEqual(
    row('2017-01-02', 'MAD', 'MRO', 50),
  );
});

describe('one of many documents', () => {
  const [first, second] = [answerOf('1'), answerOf('2')];
  const day = (number: number) => `2026-03-${String(number).padStart(2, '0')}`;
  const daysOf = (number: number) => ({ from: day(number), to: day(number) });
  const rateOn = (number: number) =>
    ratesFrom(answerOf(''), 'any day', [row(day(number), 'EUR', 'USD', 1)], (one) => one);
  const read = (...readings: (() => Promise<Reading>)[]) =>
    readRates(
      {
        key: 'ECB',
        async *read() {
          for (const reading of readings) yield await reading();
        },
      },
      { from: day(1), to: day(10) },
      context,
    );
  const odd =
    (number: number, error: Error = new FeedError('odd')) =>
    () =>
      oneOfMany(daysOf(number), () => {
        throw error;
      });
  const fine = (number: number) => () => oneOfMany(daysOf(number), () => rateOn(number));
  const status = (code: number) =>
    new HttpClientError('status', { method: 'GET', url: 'https://bank.test/2' }, `status ${code}`, {
      status: code,
    });

  test.each([
    ['in another form', odd(2), 'odd'],
    ['gone', odd(2, status(404)), 'https://bank.test/2: status 404'],
    ['gone for good', odd(2, status(410)), 'https://bank.test/2: status 410'],
    [
      'about something else',
      () => oneOfMany(daysOf(2), () => mismatch(second, 'of another day')),
      /: of another day$/,
    ],
    [
      'without records',
      () => oneOfMany(daysOf(2), () => ratesFrom(second, 'any day', [], (one) => one)),
      /no response without records: blocked/,
    ],
  ])('that is %s costs itself', async (_, document, reason) => {
    const { rows, unread } = await read(document, fine(3));
    expect(rows.map(({ date }) => date)).toEqual([day(3)]);
    expect(unread).toEqual([
      { ...daysOf(2), reason: typeof reason === 'string' ? reason : expect.stringMatching(reason) },
    ]);
  });

  test.each([
    ['a server that is out of order', status(500)],
    ['a key that is refused', new CredentialsRefused('refused')],
    ['a fault of this program', new TypeError('not a function')],
  ])('does not stand for %s', async (_, error) => {
    await expect(read(odd(2, error), fine(3))).rejects.toThrow(error);
  });

  test('is an error where no other can be read, and where most of many can not', async () => {
    await expect(read(odd(2), odd(3, new FeedError('the other')))).rejects.toThrow('odd');
    const many = (count: number) => Array.from({ length: count }, (_, at) => odd(at + 1));
    expect((await read(fine(10), ...many(9))).unread).toHaveLength(9);
    await expect(read(fine(10), ...many(10))).rejects.toThrow('odd');
    expect((await read(...many(10), ...Array.from({ length: 10 }, () => fine(10)))).unread).toHaveLength(10);
  });

  test('does not hide a response that was forgotten before it', async () => {
    const forgetful: Feed = {
      key: 'ECB',
      async *read(_window, { http }) {
        const list = await http.get('https://bank.test/1');
        yield await oneOfMany(daysOf(3), () =>
          ratesFrom(second, 'any day', [row(day(3), 'EUR', 'USD', 1)], (one) => one),
        );
        yield await odd(2)();
        expect(list).toBe(first);
      },
    };
    const http = { ...context.http, get: async () => first };
    await expect(readRates(forgetful, { from: day(1), to: day(10) }, { ...context, http })).rejects.toThrow(
      'was read neither as rates nor as no data',
    );
  });
});

describe('a source that is asked for currency by currency', () => {
  /** How many currencies are asked for, where the first one's rates are of these days. */
  async function asked(
    days: string[],
    request: { from: string; to: string; newerThan?: string },
    flags: Partial<Feed> = { currencyByCurrency: true },
  ) {
    let count = 0;
    const feed: Feed = {
      key: 'ECB',
      blank: 'days without a rate',
      ...flags,
      async *read(_window, { http }) {
        for (const quote of ['USD', 'JPY', 'GBP']) {
          count++;
          const records = days.map((day) => row(day, 'EUR', quote, 1));
          yield ratesFrom(await http.get('https://bank.test/'), 'any day', records, (one) => one);
        }
      },
    };
    const http = { ...context.http, get: async () => answerOf('') };
    const { rows } = await readRates(feed, request, { ...context, http });
    expect(rows).toHaveLength(count * days.length);
    return count;
  }
  const WEEK = { from: '2026-03-02', to: '2026-03-10' };

  test.each([
    [
      'first alone where it has nothing newer',
      ['2026-03-08', '2026-03-09'],
      { ...WEEK, newerThan: '2026-03-09' },
      1,
    ],
    ['all where it has a newer day', ['2026-03-09', '2026-03-10'], { ...WEEK, newerThan: '2026-03-09' }, 3],
    ['all where it is given no more', ['2026-03-06'], { ...WEEK, newerThan: '2026-03-09' }, 3],
    ['all where nothing is known', ['2026-03-09'], WEEK, 3],
    [
      'all in a new month',
      ['2026-03-31'],
      { from: '2026-03-24', to: '2026-04-01', newerThan: '2026-03-31' },
      3,
    ],
  ])('is asked for the %s', async (_, days, request, count) => {
    expect(await asked(days, request)).toBe(count);
  });

  test('and no other source, is asked for less', async () => {
    const request = { ...WEEK, newerThan: '2026-03-09' };
    expect(await asked(['2026-03-09'], request, {})).toBe(3);
  });
});
