import pino from 'pino';
import { describe, expect, test } from 'vitest';
import { lifetimeOf } from '../../../core/domain/currencies.js';
import { HttpClientError } from '../../../core/http-client/http-client-error.js';
import { credentialsFor, placeholderCredentials } from '../../../worker/feeds/credentials.js';
import { normalizeCode } from '../../../worker/feeds/eras.js';
import {
  CredentialsRefused,
  type Feed,
  type FeedContext,
  FeedError,
  type Figure,
  mismatch,
  noData,
  noRate,
  oneOfMany,
  type RateRow,
  type Reading,
  ratesFrom,
  skipped,
  type Window,
} from '../../../worker/feeds/feed.js';
import { clientOf, type HttpAnswer } from '../../../worker/feeds/http/client.js';
import { type ReadRequest, readRates } from '../../../worker/feeds/read.js';
import { parseDate } from '../../../worker/feeds/toolbox/dates.js';
import { validate } from '../../../worker/feeds/validate.js';
import { answerOf } from './toolbox/answer.js';

const WEEK = { from: '2026-03-02', to: '2026-03-06' };
const march = (day: number) => `2026-03-${String(day).padStart(2, '0')}`;
const row = (date: string, base: string, quote: string, rate: number): RateRow => ({
  date,
  base,
  quote,
  rate,
});
const usd = (date: string, rate: number | undefined): Figure => ({ date, base: 'USD', quote: 'EUR', rate });

type Readings = (context: FeedContext, window: Window) => AsyncIterable<Reading>;
interface Setting extends Partial<Feed> {
  window?: ReadRequest;
  today?: string | undefined;
  recorded?: boolean;
}

/** Reads a feed whose every request is answered alike, on 10 March 2026 unless another day is given. */
function read(readings: Readings, { window = WEEK, today = march(10), recorded, ...more }: Setting = {}) {
  const feed: Feed = { key: 'ECB', ...more, read: (asked, context) => readings(context, asked) };
  const http = clientOf(async () => answerOf('body'));
  const context = { http, today, credentials: {}, log: pino({ level: 'silent' }), recorded };
  return readRates(feed, window, context);
}
const ask = ({ http }: FeedContext) => http.get('https://bank.example/rates');
const ratesOf = (records: readonly Figure[], days: Window | 'any day' = 'any day'): Readings =>
  async function* (context) {
    yield ratesFrom(await ask(context), days, records, (record) => record);
  };
async function* nothing() {}
const request = { method: 'GET', url: 'https://bank.example/2' } as const;
const status = (code: number) => new HttpClientError('status', request, `status ${code}`, { status: code });

describe('records', () => {
  test('are each a rate, or counted by its reason', async () => {
    const records = [
      ...[usd(march(2), 0.9), usd(march(3), undefined), usd(march(4), 0), usd('2026-02-30', 1)],
      ...[usd(march(4), Number.NaN), usd('2026-04-01', 1), { ...usd(march(4), 1), base: undefined }],
      ...[100, undefined].map((units) => ({ ...usd(march(4), 90), units })),
    ];
    const result = await read(async function* (context) {
      yield ratesFrom(await ask(context), WEEK, [...records, 'index', 'weekend'], (record) => {
        if (typeof record !== 'string') return record;
        return record === 'index' ? skipped('an index') : noRate('a weekend');
      });
    });
    expect(result.rows).toEqual([usd(march(2), 0.9), usd(march(4), 0.9)]);
    const others = { 'outside the days asked for': 1, 'unknown name': 1, 'an index': 1, 'a weekend': 1 };
    expect(result.skipped).toEqual({ 'no rate': 2, malformed: 3, ...others });
    const response = { url: 'https://bank.example/rates?key=***', bytes: 4 };
    expect(result.responses).toMatchObject([response]);
  });

  test.each([
    [{ units: 0 }, 'not a number of units of USD: 0'],
    [{ units: 1.5 }, 'not a number of units of USD: 1.5'],
    [{ units: undefined }, 'no units for the rate of USD'],
    [{ rate: -1 }, 'not a rate of USD/EUR: -1'],
    [{ rate: Number.POSITIVE_INFINITY }, 'not a rate of USD/EUR: Infinity'],
  ])('with %j are malformed', async (more, message) => {
    const odd = { ...usd(march(3), 1), ...more };
    expect((await read(ratesOf([usd(march(2), 1), odd]))).skipped).toEqual({ malformed: 1 });
    await expect(read(ratesOf([odd]))).rejects.toThrow(message);
  });

  test('that repeat one before them are not counted, and long ones are quoted in part', async () => {
    const long = { ...usd('x', 1), note: 'y'.repeat(200) };
    const { rows, skipped: tally } = await read(ratesOf([usd(march(2), 1), usd(march(2), 1), long]));
    expect(rows).toHaveLength(1);
    expect(tally).toEqual({ malformed: 1 });
    await expect(read(ratesOf([long]))).rejects.toThrow(/ such as .{160}…: not a date: "x"$/);
  });

  test('of two readings count together', async () => {
    const { rows, skipped: tally } = await read(async function* (context) {
      for (const rate of [1 / 3, 0.333333333333, 0.4])
        yield ratesFrom(await ask(context), WEEK, [usd(march(3), rate), 'a', 'b'], (record) =>
          typeof record === 'string' ? skipped('a note') : record,
        );
      yield* ratesOf([row(march(3), 'EUR', 'USD', 3)])(context, WEEK);
    });
    expect(rows).toEqual([usd(march(3), 0.333333333333), row(march(3), 'EUR', 'USD', 3)]);
    expect(tally).toEqual({ 'a note': 6, 'another rate for the same day': 1 });
  });

  test('have sides for one unit, of the first that has them; others than the first are another rate', async () => {
    const sides = (date: string, buy: number, sell: number) => ({ ...usd(date, 90), units: 100, buy, sell });
    const { rows, skipped: tally } = await read(async function* (context) {
      yield ratesFrom(await ask(context), WEEK, [usd(march(2), 0.9), sides(march(3), 89, 91)], (one) => one);
      const second = [sides(march(2), 88, 92), usd(march(3), 0.9), sides(march(4), 0, 91)];
      yield ratesFrom(await ask(context), WEEK, [...second, sides(march(4), 89, 91)], (one) => one);
      yield ratesFrom(await ask(context), WEEK, [sides(march(2), 89, 91)], (one) => one);
    });
    expect(rows).toEqual([
      { ...usd(march(2), 0.9), buy: 0.88, sell: 0.92 },
      { ...usd(march(3), 0.9), buy: 0.89, sell: 0.91 },
      { ...usd(march(4), 0.9), sell: 0.91 },
    ]);
    // One in a reading, and one of two readings.
    expect(tally).toEqual({ 'another rate for the same day': 2 });
  });

  test('most of which are malformed or contradict others are another layout', async () => {
    const span = { window: { from: march(9), to: march(24) }, today: march(24) };
    const reading = (good: number, bad: number) => {
      const rates = Array.from({ length: good }, (_, at) => usd(march(10 + at), 1));
      return read(ratesOf([...rates, ...Array<Figure>(bad).fill(usd(march(10), 2))]), span);
    };
    const message = /: 9 of 19 records give a rate; 10 another rate for the same day/;
    await expect(reading(9, 10)).rejects.toThrow(message);
    expect((await reading(8, 9)).rows).toHaveLength(8);
    expect((await reading(10, 10)).rows).toHaveLength(10);
  });

  test('that fail by no FeedError end the run as it is', async () => {
    const mistake = new TypeError('a mistake');
    const mistaken = read(async function* (context) {
      yield ratesFrom(await ask(context), WEEK, [1], () => {
        throw mistake;
      });
    });
    await expect(mistaken).rejects.toBe(mistake);
  });
});

describe('a window', () => {
  test.each<[string, Setting, asked: [from: number, to: number], days: number[]]>([
    ['within the days of a source', { firstDay: march(3), lastDay: march(5) }, [3, 5], [2, 3, 4, 5, 6]],
    [
      'up to today, and takes what is dated after it',
      { window: { from: march(9) } },
      [9, 10],
      [9, 10, 11, 12],
    ],
    ['with both of its ends', { window: { from: march(4), to: march(7) } }, [4, 7], [4, 5, 6, 7]],
  ])('is asked for %s', async (_, setting, [from, to], days) => {
    const asked: Window[] = [];
    const printed = Array.from({ length: 13 }, (_, at) => usd(march(at + 1), 1));
    const readings: Readings = async function* (context, window) {
      asked.push(window);
      yield* ratesOf(printed)(context, window);
    };
    const { rows } = await read(readings, setting);
    expect(asked).toEqual([{ from: march(from), to: march(to) }]);
    expect(rows.map(({ date }) => date)).toEqual(days.map(march));
  });

  test('that ends before it begins is not asked for', async () => {
    const failing: Readings = async function* (context) {
      yield noData(await ask(context), 'it was asked');
    };
    const { rows, noData: reasons } = await read(failing, { window: { from: march(9), to: march(8) } });
    expect([rows, reasons]).toEqual([[], {}]);
  });

  test.each<[string, Setting]>([
    ['only a weekend', { window: { from: march(7), to: march(8) } }],
    ['before the first day, 2026-03-09', { firstDay: march(9) }],
    ['after the last day, 1998-12-30', { lastDay: '1998-12-30' }],
    ['no month begins in the window', { unasked: 'no month begins in the window' }],
  ])('without a request passes where it is %s', async (reason, setting) => {
    expect((await read(nothing, setting)).noData).toEqual({ [reason]: 1 });
  });

  test('of weekdays without a request is an error', async () => {
    await expect(read(nothing)).rejects.toThrow(/asked for nothing, though 2026-03-02 is a weekday/);
  });

  test('that an archive has nothing of says what it has', async () => {
    const { rows, skipped: tally } = await read(ratesOf([usd('2026-01-02', 1), usd('2026-01-05', 1)]));
    expect([rows, tally]).toEqual([[], { 'outside the days asked for': 1 }]);
    const message = /an archive without a rate; 1 no rate, such as \{"date":"2026-03-02"/;
    await expect(read(ratesOf([usd(march(2), undefined)]), { blank: 'a holiday' })).rejects.toThrow(message);
  });

  test.each([
    [{ from: march(2), to: march(3) }, [2, 3, 4, 5]],
    [{ from: march(2), to: march(3), exact: true as const }, [2, 3]],
    [{ from: march(3), to: march(3) }, [3]],
  ])('asked for as %j may have two days more, and one day none', async (asked, days) => {
    const printed = [1, 2, 3, 4, 5, 6].map((day) => usd(march(day), 1));
    const { rows } = await read(ratesOf(printed, asked), { window: { from: march(1), to: march(6) } });
    expect(rows.map(({ date }) => date)).toEqual(days.map(march));
  });
});

describe('a response', () => {
  test('that the feed forgets fails the run and is named', async () => {
    const forgets = read(async function* (context) {
      yield ratesFrom(await ask(context), WEEK, [usd(march(2), 1)], (one) => one);
      await ask(context);
    });
    await expect(forgets).rejects.toThrow(/rates\?key=\*\*\*: responded, but was read neither/);
  });

  test('that is a listing is no reading, and one that names nothing is no data', async () => {
    const listing = ({ navigation }: FeedContext) => navigation.get('https://bank.example/list');
    // biome-ignore lint/correctness/useYield: it forgets to read what the list leads to
    const lost = read(async function* (context) {
      await listing(context);
    });
    await expect(lost).rejects.toThrow(/leads to no response that was read/);
    const { noData: reasons } = await read(async function* (context) {
      yield noData(await listing(context), 'the list has no bulletin of these days');
    });
    expect(Object.keys(reasons)).toEqual(['the list has no bulletin of these days']);
  });

  test.each([
    ['no records', [], /no records that hold a rate/],
    ['nothing but marks of no rate', [usd(march(2), undefined)], /no records that hold a rate/],
    ['unknown names alone', [{ ...usd(march(2), 1), quote: undefined }], /0 of 1 records.*unknown name/],
    ['an unknown currency alone', [{ ...usd(march(2), 1), quote: 'QQQ' }], /0 of 1 records/],
    ['other days alone', [usd('2025-03-02', 1)], /other days than asked for for 2026-03-02/],
    ['one rate among ten malformed', [usd(march(2), 1), ...Array(10).fill(usd('x', 1))], /10 malformed/],
  ])('of %s is an error, unless the feed says what an empty one means', async (name, records, message) => {
    const readings = ratesOf(records, WEEK);
    await expect(read(readings)).rejects.toThrow(message);
    const [without, other] = name === 'no records' ? ['empty', 'blank'] : ['blank', 'empty'];
    const documented = read(readings, { [`${without}`]: 'a holiday has none' });
    if (name.startsWith('no')) {
      expect(Object.keys((await documented).noData)).toEqual(['a holiday has none']);
      await expect(read(readings, { [`${other}`]: 'a holiday has none' })).rejects.toThrow(message);
    } else await expect(documented).rejects.toThrow(message);
  });

  test('about something else is an error, but for one that stands in a recording', async () => {
    const readings: Readings = async function* (context) {
      yield mismatch(await ask(context), 'answered yen where dollars were asked for');
    };
    await expect(read(readings)).rejects.toThrow(/answered yen/);
    expect((await read(readings, { recorded: true })).rows).toEqual([]);
  });

  test('lends its address to an error of a tool that knows none', async () => {
    const reading = read(async function* (context) {
      yield noData(await ask(context), '');
      throw new FeedError('not a date: "x"');
    });
    await expect(reading).rejects.toThrow(/^https:\/\/bank\.example\/rates\?key=\*\*\*: not a date: "x"$/);
  });

  test.each([
    [401, ['KEY'], 'CredentialsRefused'],
    [403, ['KEY'], 'CredentialsRefused'],
    [404, ['KEY'], 'HttpClientError'],
    [403, undefined, 'HttpClientError'],
  ])('of status %i from a source with credentials %j is a %s', async (code, credentials, name) => {
    const refusal = status(code);
    // biome-ignore lint/correctness/useYield: it is refused before
    const refused = read(async function* () {
      throw refusal;
    }, credentials && { credentials });
    const thrown = await refused.catch((error: unknown) => error);
    expect(thrown).toMatchObject({ name, message: refusal.message });
    if (name === 'HttpClientError') expect(thrown).toBe(refusal);
    else expect((thrown as Error).cause).toBe(refusal);
  });
});

describe('dates', () => {
  test('of which months can only be days, and no day is above twelve: days and months are exchanged', async () => {
    const figure = (text: string) => usd(parseDate(text, 'MM/DD/YYYY'), 0.9);
    const reading = (...printed: string[]) =>
      read(async function* (context) {
        yield ratesFrom(await ask(context), 'any day', printed, figure);
      });
    // 2 March and 13 March, printed the other way round: some are read as other days.
    const exchanged = reading('02/03/2026', '03/03/2026', '04/03/2026', '13/03/2026', '16/03/2026');
    const message = /no date has a day above 12, and 2 have a month above it: days and months are exchanged/;
    await expect(exchanged).rejects.toThrow(message);
    // A slip in one date is that.
    const slip = await reading('03/02/2026', '03/03/2026', '03/04/2026', '13/03/2026');
    expect([slip.rows.length, slip.skipped.malformed]).toEqual([3, 1]);
  });

  const SUNDAYS = [1, 2, 3, 4, 5, 8, 9, 10, 11, 12];
  const [TWO, THREE] = [/of 10 dates 2 are of weekends/, /of 10 dates 3 are of weekends/];
  test.each<[string, Setting, number[], RegExp?]>([
    ['Sundays to Thursdays of two weeks', {}, SUNDAYS, TWO],
    ['all days but a Friday', {}, [1, 2, 3, 4, 5, 7, 8, 9, 10, 11], THREE],
    ['fewer days', {}, SUNDAYS.slice(0, 9)],
    ['a single Sunday', {}, [1, 2, 3, 4, 5, 9, 10, 11, 12, 16]],
    ['all weekdays, and both weekends', {}, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]],
    ['a feed whose dates are Sundays at times', { weekends: true }, SUNDAYS],
    ['a bank that publishes on Sundays', { key: 'HKMA' }, SUNDAYS],
  ])('by weekday: %s', async (_, feed, days, message) => {
    const records = days.map((day) => usd(march(day), 0.9));
    const span = { window: { from: march(1), to: march(16) }, today: march(16) };
    const reading = read(ratesOf(records), { ...feed, ...span });
    if (message) await expect(reading).rejects.toThrow(message);
    else expect((await reading).rows).toHaveLength(days.length);
  });
});

describe('days without a rate', () => {
  const GAP = 'no rate for more than two weeks';
  test.each([
    ['between two rates', march(2), [march(2), march(19)], march(19), 16],
    ['before the first rate', '2026-02-01', [march(1)], march(2), 28],
    ['after the last rate', march(1), [march(1)], march(17), 16],
    ['whose days came in another order', march(2), [march(19), march(2)], march(19), 16],
  ])('%s are counted where they are more than fifteen', async (_, from, days, to, count) => {
    const records = days.map((day) => usd(day, 0.9));
    const { skipped: tally } = await read(ratesOf(records), { window: { from, to } });
    expect(tally).toEqual({ [GAP]: count });
  });

  const LONG = { from: '2026-02-02', to: march(18) };
  test.each([
    ['of fifteen days', {}, { from: march(2), to: march(18) }],
    ['before the source began', {}, { from: '1998-11-01', to: '1999-01-19' }],
    ['of a source that publishes a month at once', { key: 'BOA' }, LONG],
    ['of rates that hold for a period', { key: 'JPC' }, LONG],
  ])('are no gap: %s', async (_, feed, window) => {
    const days = window.from < '1999' ? ['1999-01-04'] : [window.from, window.to];
    expect((await read(ratesOf(days.map((day) => usd(day, 0.9))), { ...feed, window })).skipped).toEqual({});
  });

  test.each([
    [{ empty: 'a holiday has none' }, []],
    [{ blank: 'ND marks a holiday' }, [usd(march(2), undefined)]],
  ])('for more than two weeks are no holiday: %j', async (feed, records) => {
    const readings = ratesOf(records, { from: march(1), to: march(31) });
    const during = (to: string) => read(readings, { ...feed, window: { from: march(2), to } });
    expect(Object.keys((await during(march(16))).noData)).toEqual(Object.values(feed));
    const { noData: reasons, skipped: tally } = await during(march(17));
    expect([reasons, tally[GAP]]).toEqual([{}, 16]);
  });
});

describe('validation', () => {
  test('drops what can be no rate, and counts it by reason', () => {
    const rowOf = (text: string) => {
      const [date = '', base = '', quote = '', rate] = text.split(' ');
      return row(date, base, quote, Number(rate));
    };
    const extremes = ['2026-03-10 USD IRR 1e20', '2026-03-10 IRR USD 1e-20', '2026-03-12 USD XAU 0.0002'];
    const good = ['2026-03-10 EUR USD 1.08', '1999-01-04 EUR USD 1.18', ...extremes].map(rowOf);
    const bad = [
      ...['0', '-1', 'NaN', 'Infinity'].map((rate) => `2026-03-10 EUR USD ${rate}`),
      ...['1e-309', '9.99e-21', '1.01e20'].map((rate) => `2026-03-10 MWK USD ${rate}`),
      ...['2026-03-10 EUR ABC 1', '2026-03-10 usd EUR 1', '2026-02-30 EUR USD 1'],
      ...['2026-03-13 EUR USD 1', '2026-03-10 DEM USD 1', '1999-01-03 EUR USD 1'],
    ].map(rowOf);
    const { rows, dropped } = validate([...good, ...bad], { today: march(10), provider: 'ECB' });
    expect(rows).toEqual(good);
    const dates = { future: 1, 'after-end': 1, 'before-start': 1 };
    expect(dropped).toEqual({ 'unknown-currency': 2, malformed: 5, 'out-of-bounds': 3, ...dates });
  });

  test('drops a rate that is not between its sides', () => {
    const rate = (buy?: number, sell?: number): RateRow => ({
      ...row(march(10), 'EUR', 'USD', 2),
      ...(buy !== undefined && { buy }),
      ...(sell !== undefined && { sell }),
    });
    const good = [rate(1, 3), rate(2, 2), rate(1), rate(undefined, 3)];
    const bad = [rate(3, 1), rate(2.1, 3), rate(1, 1.9), rate(3), rate(undefined, 1), rate(Number.NaN, 3)];
    const { rows, dropped } = validate([...good, ...bad, rate(-1, 3)], { today: march(10), provider: 'ECB' });
    expect([rows, dropped]).toEqual([good, { 'contradictory-sides': 5, malformed: 2 }]);
  });

  test('keeps a currency that a provider goes on publishing for it, and for no other', () => {
    const rows = [row(march(10), 'ANG', 'VES', 470.2), row(march(10), 'CUP', 'ANG', 13)];
    expect(validate(rows, { today: march(10), provider: 'BCV' })).toEqual({ rows, dropped: {} });
    expect(validate(rows, { today: march(10), provider: 'ECB' }).dropped).toEqual({ 'after-end': 2 });
    const hrk = [row(march(10), 'HRK', 'VES', 1)];
    expect(validate(hrk, { today: march(10), provider: 'BCV' }).dropped).toEqual({ 'after-end': 1 });
  });
});

test('credentials are all there or named', () => {
  const feed: Feed = { key: 'ECB', read: nothing, credentials: ['BCCH_USER', 'BCCH_PASS'] };
  const values = { BCCH_USER: 'me', BCCH_PASS: 'hush' };
  expect(credentialsFor(feed, { ...values, OTHER: 'x' })).toEqual({ status: 'present', values });
  const missing = { status: 'missing', names: ['BCCH_PASS'] };
  expect(credentialsFor(feed, { ...values, BCCH_PASS: '' })).toEqual(missing);
  expect(credentialsFor({ key: 'ECB', read: nothing }, {})).toEqual({ status: 'present', values: {} });
  expect(placeholderCredentials(feed)).toEqual({ BCCH_USER: '<BCCH_USER>', BCCH_PASS: '<BCCH_PASS>' });
});

test('units that a bank prints wrong are set right on either side of a pair', () => {
  const right = (base: string, quote: string, rate: number) =>
    normalizeCode('BAM', row('2017-01-02', base, quote, rate));
  expect(right('MRO', 'MAD', 2)).toEqual(row('2017-01-02', 'MRO', 'MAD', 0.02));
  expect(right('MAD', 'MRO', 0.5)).toEqual(row('2017-01-02', 'MAD', 'MRO', 50));
  const sides = normalizeCode('BAM', { ...row('2017-01-02', 'MRO', 'MAD', 2), buy: 1, sell: 3 });
  expect(sides).toEqual({ ...row('2017-01-02', 'MRO', 'MAD', 0.02), buy: 0.01, sell: 0.03 });
});

test('codes that banks went on printing have ended', () => {
  const [first, second] = ['BGL BYB ADP AFA SRG', 'MGF MZM SDD VEB MRO'].map((codes) =>
    codes.split(' ').map((code) => lifetimeOf(code).until),
  );
  expect(first).toEqual(['1999-07-05', '2000-01-01', '2002-03-01', '2002-10-07', '2004-01-01']);
  expect(second).toEqual(['2005-01-01', '2006-07-01', '2007-01-10', '2008-01-01', '2018-01-01']);
});

describe('one of many documents', () => {
  const second = answerOf('2');
  const daysOf = (number: number) => ({ from: march(number), to: march(number) });
  const records = (number: number, answer: HttpAnswer, ...days: RateRow[]) =>
    oneOfMany(daysOf(number), () => ratesFrom(answer, 'any day', days, (one) => one));
  const fine = (number: number) => () => records(number, answerOf(''), row(march(number), 'EUR', 'USD', 1));
  const odd = (number: number, error: Error = new FeedError('odd')) => {
    const fail = () => Promise.reject(error);
    return () => oneOfMany(daysOf(number), fail);
  };
  async function* inTurn(readings: readonly (() => Promise<Reading>)[]) {
    for (const reading of readings) yield await reading();
  }
  const readAll = (...readings: (() => Promise<Reading>)[]) =>
    read(() => inTurn(readings), { window: { from: march(1), to: march(10) } });
  const other = () => oneOfMany(daysOf(2), () => mismatch(second, 'of another day'));

  test.each([
    ['in another form', odd(2), /^odd$/],
    ['gone', odd(2, status(404)), /^https:\/\/bank\.example\/2: status 404$/],
    ['gone for good', odd(2, status(410)), /^https:\/\/bank\.example\/2: status 410$/],
    ['about something else', other, /: of another day$/],
    ['without records', () => records(2, second), /no response without records: blocked/],
  ])('that is %s costs itself', async (_, document, reason) => {
    const { rows, unread } = await readAll(document, fine(3));
    expect(rows.map(({ date }) => date)).toEqual([march(3)]);
    expect(unread).toEqual([{ ...daysOf(2), reason: expect.stringMatching(reason) }]);
  });

  test.each([
    ['a server that is out of order', status(500)],
    ['a key that is refused', new CredentialsRefused('refused')],
    ['a fault of this program', new TypeError('not a function')],
  ])('does not stand for %s', async (_, error) => {
    await expect(readAll(odd(2, error), fine(3))).rejects.toThrow(error);
  });

  test('is an error where no other can be read, and where most of many can not', async () => {
    await expect(readAll(odd(2), odd(3, new FeedError('the other')))).rejects.toThrow('odd');
    const many = (count: number) => Array.from({ length: count }, (_, at) => odd(at + 1));
    expect((await readAll(fine(10), ...many(9))).unread).toHaveLength(9);
    await expect(readAll(fine(10), ...many(10))).rejects.toThrow('odd');
    expect((await readAll(...many(10), ...Array(10).fill(fine(10)))).unread).toHaveLength(10);
  });

  test('does not hide a response that was forgotten before it', async () => {
    const forgetful = read(async function* (context) {
      await ask(context);
      yield await fine(3)();
      yield await odd(2)();
    });
    await expect(forgetful).rejects.toThrow('was read neither as rates nor as no data');
  });
});

describe('a source that is asked for currency by currency', () => {
  const known = { from: march(2), to: march(10), newerThan: march(9) };
  const NEW_MONTH = { from: '2026-03-24', to: '2026-04-01', newerThan: march(31) };
  test.each<[string, string[], ReadRequest, number, boolean?]>([
    ['first alone where it has nothing newer', [march(8), march(9)], known, 1],
    ['all where it has a newer day', [march(9), march(10)], known, 3],
    ['all where it is given no more', [march(6)], known, 3],
    ['all where nothing is known', [march(9)], { from: march(2), to: march(10) }, 3],
    ['all in a new month', [march(31)], NEW_MONTH, 3],
    ['all where it is not asked so', [march(9)], known, 3, false],
  ])('is asked for the %s', async (_, days, window, count, asksSo = true) => {
    const readings: Readings = async function* (context) {
      for (const quote of ['USD', 'JPY', 'GBP'])
        yield* ratesOf(days.map((day) => row(day, 'EUR', quote, 1)))(context, WEEK);
    };
    const flags = { window, today: window.to, ...(asksSo && { currencyByCurrency: true as const }) };
    const { rows, responses } = await read(readings, { blank: 'days without a rate', ...flags });
    expect([responses.length, rows.length]).toEqual([count, count * days.length]);
  });
});
