import pino from 'pino';
import { expect, test } from 'vitest';
import { credentialsFor, placeholderCredentials } from '../../../worker/feeds/credentials.js';
import { normalizeCode } from '../../../worker/feeds/eras.js';
import { type Feed, type RateRow, ratesFrom, type Window } from '../../../worker/feeds/feed.js';
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
  http: { get: fail, post: fail, pause: fail },
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
