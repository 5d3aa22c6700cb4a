import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lockData } from '../../../../core/database/locks.js';
import { inTransaction } from '../../../../core/database/transactions.js';
import { BLEND_METHOD } from '../../../../core/domain/blend/method.js';
import { addDays } from '../../../../core/domain/dates.js';
import { startApi, type TestApi } from '../../../support/api.js';
import {
  apply,
  applyAll,
  applyAt,
  randomNumbers,
  someDay,
  storeEvents,
} from '../../../support/changing-store.js';
import { databaseTime, type TestDatabase, testDatabase } from '../../../support/postgres.js';
import { publish, storeRows } from '../../../support/rates.js';

/** More of them take longer: ALMANAC_AS_OF_QUESTIONS=1000 asks a thousand. */
const QUESTIONS = Number(process.env.ALMANAC_AS_OF_QUESTIONS ?? 150);
const SEED = Number(process.env.ALMANAC_AS_OF_SEED ?? 17);
const EVENTS = 70;
const CODES = ['EUR', 'USD', 'GBP', 'JPY', 'CHF', 'CAD', 'UAH', 'MWK', 'KWD', 'AED', 'XOF', 'DKK'];

/** A store that keeps all that was recorded, and one into which the same is recorded step by step. */
let whole: TestDatabase;
let stepwise: TestDatabase;
let api: TestApi;
let then: TestApi;
let now = new Date();
const random = randomNumbers(SEED);
const events = storeEvents(random, EVENTS);

beforeAll(async () => {
  [whole, stepwise] = await Promise.all([testDatabase(), testDatabase()]);
  await applyAll(whole, events);
  api = await startApi(whole);
  then = await startApi(stepwise, { clock: () => now });
}, 180_000);
afterAll(async () => {
  await Promise.all([api?.close(), then?.close()]);
  await Promise.all([whole?.close(), stepwise?.close()]);
});

const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
const codes = () => [...new Set([pick(CODES), pick(CODES), pick(CODES)])].join();

interface Question {
  path: string;
  method?: 'GET' | 'POST';
  body?: string;
}

function question(): Question {
  const day = () => someDay(random, EVENTS / 4);
  const from = day();
  const to = addDays(from, Math.floor(random() * 40));
  const which = pick(['', '', `&quotes=${codes()}`]);
  const source = pick(['', '', '', '&providers=ECB', '&providers=BOC,NBU', '&providers=RBM']);
  const expand = pick(['', '', '&expand=providers', '&expand=quality', '&expand=providers,quality']);
  const full = pick(['', '&precision=full', '&precision=full']);
  const picked = () => `&date=${day()}${pick(['', '&when=before', '&when=next'])}`;
  const shared = `base=${pick(CODES)}${which}${source}${expand}${full}`;
  switch (pick(['newest', 'newest', 'date', 'range', 'group', 'fill', 'pair', 'convert', 'lines'])) {
    case 'newest':
      return { path: `/v2/rates?${shared}` };
    case 'date':
      return { path: `/v2/rates?${shared}${picked()}` };
    case 'range':
      return { path: `/v2/rates.csv?${shared}&from=${from}${pick(['', `&to=${to}`])}` };
    case 'group':
      return {
        path: `/v2/rates?${shared}&from=${from}&to=${to}&group=${pick(['week', 'month', 'quarter', 'range'])}`,
      };
    case 'fill':
      return { path: `/v2/rates?base=${pick(CODES)}${which}${full}&from=${from}&to=${to}&fill=forward` };
    case 'pair':
      return {
        path: `/v2/rate/${pick(CODES)}/${pick(CODES)}?precision=full${source}${pick(['', picked()])}`,
      };
    case 'convert': {
      const when = pick(['', picked(), picked()]);
      return { path: `/v2/convert/${pick(CODES)}/${pick(CODES)}?amount=1000000${source}${when}` };
    }
    default: {
      const line = () => ({
        amount: '1000000',
        base: pick(CODES),
        quote: pick(CODES),
        date: pick([undefined, day()]),
      });
      const body = JSON.stringify([line(), line(), line()]);
      return { path: `/v2/convert?${source.slice(1)}${pick(['', picked()])}`, method: 'POST', body };
    }
  }
}

async function ask(url: string, { path, method = 'GET', body }: Question, extra = '') {
  const headers = { 'content-type': 'application/json' };
  const address = `${url}${path}${extra && (path.includes('?') ? '&' : '?')}${extra}`;
  const response = await fetch(address, { method, ...(body && { body, headers }) });
  return {
    status: response.status,
    body: await response.text(),
    asOf: path.includes('date=') || path.includes('from=') ? '' : response.headers.get('x-rates-as-of'),
    headers: response.headers,
  };
}

/** Of a past version, other days than those that were asked for are not told. */
const withoutDays = (body: string) => body.replaceAll(/(no rate for [^:"]*): [^"]*/g, '$1');

describe('as_of', () => {
  it(`answers ${QUESTIONS} random questions as a store did into which only what was recorded by then was stored`, async () => {
    const steps = Array.from({ length: QUESTIONS }, () => Math.floor(random() * events.length));
    const seen = { answered: 0, rates: 0, differsNow: 0 };
    for (const [index, event] of events.entries()) {
      await apply(stepwise, event);
      const end = events[index + 1]?.at.getTime() ?? event.at.getTime() + 86_400_000;
      for (const _ of steps.filter((step) => step === index)) {
        const asked = question();
        now = new Date(event.at.getTime() + Math.floor(random() * (end - event.at.getTime())));
        await then.catchUp();
        const expected = await ask(then.url, asked);
        const past = await ask(api.url, asked, `as_of=${now.toISOString()}`);
        const context = `${index}: ${asked.path} as of ${now.toISOString()}`;
        expect({ context, status: past.status, body: withoutDays(past.body) }).toEqual({
          context,
          status: expected.status,
          body: withoutDays(expected.body),
        });
        if (
          expected.status === 200 &&
          expected.asOf &&
          !asked.path.includes('providers=') &&
          asked.method === undefined
        )
          expect([context, past.asOf]).toEqual([context, expected.asOf]);
        seen.answered++;
        if (past.status === 200 && past.body.length > 100) seen.rates++;
        if (past.body !== (await ask(api.url, asked)).body) seen.differsNow++;
      }
    }
    expect(seen.answered).toBe(QUESTIONS);
    // Many questions have rates, and many other ones by now: else the comparison would tell little.
    expect(seen.rates).toBeGreaterThan(QUESTIONS / 3);
    expect(seen.differsNow).toBeGreaterThan(QUESTIONS / 3);
    const { rows } = await whole.pool.query(
      'select status, count(*)::int as count from suspect_states group by 1',
    );
    expect(new Set(rows.map(({ status }) => status))).toContain('held');
    expect(rows.length).toBeGreaterThan(1);
  }, 600_000);

  it('may be cached for a day, as another method may come, and names its method', async () => {
    const at = events[40]?.at.toISOString();
    for (const path of [
      '/v2/rates?',
      '/v2/rates.csv?providers=ECB&from=2026-01-12&',
      '/v2/rates?updated_after=2026-01-12&',
      '/v2/rate/EUR/USD?',
      '/v2/rate/EUR/USD.txt?',
      '/v2/rate/EUR/USD?expand=receipt&date=2026-01-14&',
      '/v2/providers/ECB/rates?',
      '/v2/convert/EUR/USD?amount=1&',
      '/v2/convert/EUR/USD?amount=1&expand=receipt&date=2026-01-14&',
    ]) {
      const target = `${path}as_of=${at}`;
      const { status, headers } = await ask(api.url, { path: target });
      expect([path, status, headers.get('cache-control'), headers.get('x-blend-method')]).toEqual([
        path,
        200,
        'public, max-age=86400',
        String(BLEND_METHOD),
      ]);
      const again = await fetch(`${api.url}${target}`, {
        headers: { 'if-none-match': headers.get('etag') ?? '' },
      });
      expect([path, again.status]).toEqual([path, 304]);
    }
    const lines = await ask(api.url, { path: `/v2/convert?as_of=${at}`, method: 'POST', body: '[]' });
    expect([lines.headers.get('cache-control'), lines.headers.get('x-blend-method')]).toEqual([
      'no-store',
      String(BLEND_METHOD),
    ]);
  });

  it('takes a date as its end, and any offset from UTC', async () => {
    const body = async (instant: string) =>
      (await ask(api.url, { path: '/v2/rates?precision=full' }, `as_of=${encodeURIComponent(instant)}`)).body;
    expect(await body('2026-01-20')).toBe(await body('2026-01-20T23:59:59.999Z'));
    expect(await body('2026-01-20T01:30:00+09:30')).toBe(await body('2026-01-19T16:00:00Z'));
  });

  it.each([
    ['2026-02-30', 422, 'must be a date or an instant'],
    ['2026-02-20T16:00Z', 422, 'must be a date or an instant'],
    ['2026-02-20T16:00:00', 422, 'must be a date or an instant'],
    ['2999-01-01', 422, 'as_of is in the future'],
    ['2025-12-31', 404, 'nothing was known before 2026-01-12T14:'],
  ])('answers as_of=%s with %i', async (instant, status, message) => {
    for (const path of ['/v2/rates?', '/v2/rate/EUR/USD?', '/v2/convert/EUR/USD?amount=1&']) {
      const response = await fetch(`${api.url}${path}as_of=${instant}`);
      const body = (await response.json()) as { message: string; errors?: { parameter: string }[] };
      expect([response.status, body.message]).toEqual([status, expect.stringContaining(message)]);
      if (status === 422) expect(body.errors?.map(({ parameter }) => parameter)).toEqual(['as_of']);
      expect(response.headers.get('cache-control')).toBe('no-store');
    }
  });

  it('waits for a transaction that may record rates at the instant, and not for what comes after it', async () => {
    const newestAt = (at: Date) => ask(api.url, { path: '/v2/rates' }, `as_of=${at.toISOString()}`);
    await api.catchUp();
    const started = await databaseTime(whole);
    await inTransaction(whole, async (transaction) => {
      await lockData(transaction);
      await new Promise((resolve) => setTimeout(resolve, 5));
      const during = await newestAt(await databaseTime(whole));
      expect([during.status, during.headers.get('retry-after')]).toEqual([503, '1']);
      expect((await newestAt(new Date(Number(started) - 1))).status).toBe(200);
    });
    expect((await newestAt(await databaseTime(whole))).status).toBe(200);
  });
});

describe('an answer as of an instant', () => {
  it('stays the same while more is recorded, and in a new process', async () => {
    const database = await testDatabase();
    let one = await startApi(database);
    const asked: { target: Question; extra: string; answer: object }[] = [];
    const answerOf = async (target: Question, extra: string) => {
      const { status, body, headers } = await ask(one.url, target, extra);
      // That of a receipt has the newest version in it.
      const tag = target.path.includes('receipt') ? '' : headers.get('etag');
      return { target, extra, status, body, asOf: headers.get('x-rates-as-of'), tag };
    };
    const someQuestion = (): Question =>
      pick([
        question,
        // All that was known, in which any change shows.
        () => ({ path: '/v2/rates.csv?from=2025-11-01&precision=full' }),
        () => ({ path: `/v2/rate/${pick(CODES)}/${pick(CODES)}?expand=receipt&date=${someDay(random, 10)}` }),
      ])();
    try {
      for (const event of events.slice(0, 40)) {
        await applyAt(database, event);
        await one.catchUp();
        if (random() < 0.1) {
          await one.close();
          one = await startApi(database);
        }
        for (const { target, extra, answer } of asked) expect(await answerOf(target, extra)).toEqual(answer);
        if (random() < 0.5) continue;
        const [target, extra] = [someQuestion(), `as_of=${event.at.toISOString()}`];
        asked.push({ target, extra, answer: await answerOf(target, extra) });
      }
      expect(asked.length).toBeGreaterThan(10);
    } finally {
      await one.close();
      await database.close();
    }
  }, 300_000);

  it('is the same after further changes of its days and of the days after them', async () => {
    const database = await testDatabase();
    const one = await startApi(database);
    try {
      const store = async (from: string, to: string, times = 1) => {
        await storeRows(database, publish('ECB', ['EUR/USD'], from, to, { times }));
        await one.catchUp();
      };
      await store('2026-03-02', '2026-03-13');
      const target = `/v2/rate/EUR/USD?date=2026-03-13&as_of=${(await databaseTime(database)).toISOString()}`;
      const answers: string[] = [];
      const note = async () => answers.push((await ask(one.url, { path: target })).body);
      await note();
      await store('2026-03-10', '2026-03-10', 1.01);
      await note();
      await store('2026-03-16', '2026-03-16');
      await note();
      await store('2026-03-09', '2026-03-12', 1.02);
      await note();
      expect(answers).toEqual(Array(4).fill(answers[0]));
      expect(answers[0]).toContain('"date":"2026-03-13"');
    } finally {
      await one.close();
      await database.close();
    }
  });
});
