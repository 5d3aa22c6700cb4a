import { describe, expect, it, vi } from 'vitest';
import { ProviderBusy } from '../../../core/database/locks.js';
import { readPlanningState, readProviderStates } from '../../../core/database/providers.js';
import { readSetAside, setAside } from '../../../core/database/set-aside.js';
import { inTransaction } from '../../../core/database/transactions.js';
import type { CalendarDate } from '../../../core/domain/dates.js';
import { HttpClientError } from '../../../core/http-client/http-client-error.js';
import {
  BEFORE_ALL,
  type Feed,
  FeedError,
  type Figure,
  mismatch,
  noData,
  oneOfMany,
  type Reading,
  ratesFrom,
  skipped,
} from '../../../worker/feeds/feed.js';
import type { HttpAnswer } from '../../../worker/feeds/http/client.js';
import { CredentialsMissing } from '../../../worker/ingest/feed-source.js';
import {
  BODY,
  dollars,
  feedOf,
  feedWith,
  ingestFrom,
  newestRun,
  openLog,
  ownDatabase,
  ratesOf,
  readLines,
} from './support.js';

const database = await ownDatabase();

type Options = Parameters<typeof ingestFrom>[2];
const ingest = (feed: Feed, options?: Options) => ingestFrom(database, feed, options);
const read = (query: string) => readLines(database, query);
const backfilledTo = async () => (await readPlanningState(database, 'ECB')).backfilledTo;
const lastError = async () => (await readProviderStates(database)).get('ECB')?.lastError;

const rows = [dollars('2026-03-02'), dollars('2026-03-03')];
const holiday = (response: HttpAnswer) => noData(response, 'a holiday');
const failing = (error: unknown) =>
  feedOf('ECB', () => {
    throw error;
  });
const keyed = (values: Readonly<Record<string, string>>) => ({
  access: { credentials: { status: 'present', values } as const },
});

describe('a run', () => {
  it('remembers its job, its reason and its window, and returns its counts', async () => {
    const window = { from: '2026-03-01', to: '2026-03-05' };
    const result = await ingest(feedOf('ECB', rows), { window, reason: 'operator', jobId: 'job-7' });
    const counts = { rowsNew: 2, rowsCorrected: 0, rowsUnchanged: 0, rowsDropped: {}, responses: 1 };
    expect(result).toMatchObject({ ...counts, responseBytes: BODY.length });
    const run = { id: result?.run, job: 'job-7', reason: 'operator', ...window, outcome: 'succeeded' };
    expect(await newestRun(database)).toMatchObject({ ...run, ...counts, responseBytes: BODY.length });
  });

  it('gives the feed its credentials and a log that names it, and counts the bytes of all responses', async () => {
    const { log, lines } = openLog();
    const feed: Feed = {
      key: 'ECB',
      async *read(_window, { http, navigation, credentials, log }) {
        await navigation.get('http://bank.test/list');
        log.info({ credentials }, 'reading');
        yield holiday(await http.get('http://bank.test/rates'));
      },
    };
    await ingest(feed, { log, ...keyed({ KEY: 'abc' }) });
    expect(lines).toMatchObject([{ provider: 'ECB', msg: 'reading', credentials: { KEY: 'abc' } }]);
    expect(await newestRun(database)).toMatchObject({ responses: 2, responseBytes: 2 * BODY.length });
  });

  it('reports each step, and logs the rates that it holds back and later takes in', async () => {
    const naira = ratesOf('USD/NGN');
    let today = '2023-06-15';
    const run = async (...given: ReturnType<typeof naira>[]) => {
      const { log, lines } = openLog();
      const steps: string[] = [];
      const more = { window: { from: '2023-06-10' }, access: { today } };
      await ingest(feedOf('CBN', given), { ...more, log, onProgress: (step) => steps.push(step) });
      return { lines, steps };
    };
    await run(naira('2023-06-12', 464.67), naira('2023-06-13', 464.8));
    const held = await run(naira('2023-06-14', 664.04));
    expect(held.steps).toEqual(['reading', 'storing', 'stored']);
    const suspect = { provider: 'CBN', ...naira('2023-06-14', 664.04), reason: 'jump', expected: 464.8 };
    expect(held.lines).toMatchObject([
      { level: 40, ...suspect, run: '2', suspects: 1, msg: 'suspect rates are held back from the blend' },
    ]);
    expect((await run(naira('2023-06-15', 671.1))).lines).toMatchObject([
      { level: 30, ...suspect, run: '3', status: 'confirmed', msg: 'a suspect rate is resolved' },
    ]);
    // Only recent suspects need an operator at once.
    today = '2023-07-16';
    expect((await run(naira('2023-06-16', 990))).lines).toMatchObject([{ level: 30, suspects: 1 }]);
  });
});

it('a window that is not wanted any more is not read, and gives the lock back', async () => {
  const made = vi.fn(() => rows);
  const stillWanted = async () => {
    // Another ingest must not begin between the question and the answer.
    await expect(ingest(feedOf('ECB', rows))).rejects.toThrow(ProviderBusy);
    return false;
  };
  expect(await ingest(feedOf('ECB', made), { stillWanted })).toBeUndefined();
  expect(made).not.toHaveBeenCalled();
  expect(await newestRun(database)).toBeUndefined();
  expect(await ingest(feedOf('ECB', rows), { stillWanted: async () => true })).toMatchObject({ rowsNew: 2 });
});

it('only what changes rates is announced, once it is committed', async () => {
  const announced: bigint[] = [];
  const publish = async (version: bigint) => {
    expect(await read('select max(version) from data_versions')).toEqual([`${version}`]);
    announced.push(version);
  };
  const versions: unknown[] = [];
  for (const rate of [1.1, 1.1, 1.2]) {
    const feed = feedOf('ECB', [dollars('2026-03-02', rate)]);
    versions.push((await ingest(feed, { announcements: { publish } }))?.version);
  }
  expect(versions).toEqual([1n, undefined, 2n]);
  expect(announced).toEqual([1n, 2n]);
});

describe('a failure', () => {
  it('is recorded with its cause, and held against the provider', async () => {
    const reasons: string[] = [];
    const error = new Error('no response', { cause: new Error('certificate has expired') });
    const ingesting = ingest(failing(error), {
      onFailure: async (transaction, reason) => {
        // What is done here is part of the record: see setAside.
        expect(await transaction.prisma.ingestRun.count({ where: { outcome: 'failed' } })).toBe(1);
        reasons.push(reason);
      },
    });
    await expect(ingesting).rejects.toThrow('no response');
    const reason = 'no response (certificate has expired)';
    expect(await newestRun(database)).toMatchObject({ outcome: 'failed', error: reason });
    expect(await lastError()).toBe(reason);
    expect(reasons).toEqual([reason]);
    expect(await ingest(feedOf('ECB', rows))).toMatchObject({ rowsNew: 2 });
    expect(await lastError()).toBeNull();
  });

  it.each<[string, unknown, string]>([
    ['of a cause that is no error', new Error('no response', { cause: 'unknown' }), 'no response'],
    ['that is no error', 'no response', 'no response'],
    ['that is nothing', null, 'null'],
    ['of many words', new Error('long '.repeat(200)), 'long '.repeat(100)],
  ])('%s is one line of 500 characters at most', async (_which, error, reason) => {
    await expect(ingest(failing(error))).rejects.toBe(error);
    expect((await newestRun(database))?.error).toBe(reason);
  });

  it.each([
    ['is stopping is not', true, null],
    ['could stop but does not is', false, 'down'],
  ])('of a worker that %s held against the provider', async (_which, isStopping, error) => {
    const stopping = new AbortController();
    const onFailure = vi.fn();
    const feed = feedOf('ECB', () => {
      if (isStopping) stopping.abort();
      throw new Error('down');
    });
    await expect(ingest(feed, { stopping: stopping.signal, onFailure })).rejects.toThrow('down');
    expect(await newestRun(database)).toMatchObject({ outcome: 'failed', error: 'down' });
    expect(await lastError()).toBe(error);
    expect(onFailure).toHaveBeenCalledTimes(isStopping ? 0 : 1);
  });

  it('that can not be recorded is logged, and thrown all the same', async () => {
    const { log, lines } = openLog();
    const onFailure = () => Promise.reject(new Error('the database is gone'));
    await expect(ingest(failing(new Error('down')), { log, onFailure })).rejects.toThrow('down');
    const run = await newestRun(database);
    expect(run).toMatchObject({ outcome: 'running', error: null });
    const line = { level: 40, provider: 'ECB', run: run?.id, reason: 'the database is gone' };
    expect(lines).toMatchObject([{ ...line, msg: 'failure could not be recorded' }]);
  });

  it('names the credentials that are missing, without asking the bank', async () => {
    const made = vi.fn(() => rows);
    const access = { credentials: { status: 'missing', names: ['ONE_KEY', 'TWO_KEY'] } } as const;
    const ingesting = ingest(feedOf('ECB', made), { access });
    await expect(ingesting).rejects.toThrow(new CredentialsMissing('needs_key: ONE_KEY, TWO_KEY'));
    expect((await newestRun(database))?.error).toBe('needs_key: ONE_KEY, TWO_KEY');
    expect(made).not.toHaveBeenCalled();
  });

  it('shows no credential in its message, its stack or its cause, however it was encoded', async () => {
    const cause = new Error('403 at http://bank.test/s3cret/+');
    const error = new Error('not known: s3cret/+, s3cret%2F%2B', { cause });
    // A stack is made when it is first read, of the message at that time.
    expect(`${error.stack}${cause.stack}`).toContain('s3cret');
    await expect(ingest(failing(error), keyed({ KEY: 's3cret/+', EMPTY: '' }))).rejects.toBe(error);
    expect(error.message).toBe('not known: ***, ***');
    expect(error.stack).toContain('not known: ***, ***\n');
    expect(`${error.stack}${cause.stack}`).not.toContain('s3cret');
    expect((await newestRun(database))?.error).toBe('not known: ***, *** (403 at http://bank.test/***)');
  });

  it('that has lost its stack is thrown all the same', async () => {
    const error = Object.assign(new Error('down'), { stack: undefined });
    await expect(ingest(failing(error), keyed({ KEY: 's3cret' }))).rejects.toBe(error);
    expect(error.stack).toBeUndefined();
  });
});

describe('what comes of a step of a backfill', () => {
  const february = { from: '2026-02-01', to: '2026-02-28' };
  /** Ingests the February before what has been asked for. */
  async function ingestFebruary(make: (response: HttpAnswer) => Reading, more: Partial<Feed>) {
    await database.pool.query(`insert into providers (key, backfilled_to) values ('ECB', '2026-03-01')`);
    return ingest(feedWith(make, more), { window: february, reason: 'backfill' });
  }
  const figure = (date: string, quote = 'USD'): Figure => ({ date, base: 'EUR', quote, rate: 1.1 });
  const figures =
    (...found: (Figure | undefined)[]) =>
    (response: HttpAnswer) =>
      ratesFrom(response, 'any day', found, (one) => one ?? skipped('an index'));
  const [inStep, later] = [figure('2026-02-03'), figure('2026-03-04')];
  const STEPS = { backfillDays: 28 };

  it.each<[string, (response: HttpAnswer) => Reading, Partial<Feed>, object]>([
    ['rates', figures(inStep, undefined, undefined), STEPS, { rowsNew: 1, rowsSkipped: { 'an index': 2 } }],
    ['a documented reason', holiday, STEPS, { rowsNew: 0, noData: { 'a holiday': 1 } }],
    // An empty list is no reason for four weeks, but a source of its whole history has no more.
    ['a documented empty list', figures(), { empty: 'a holiday' }, { rowsNew: 0, noData: {} }],
    ['a whole history that does not go back as far', figures(later), {}, { rowsNew: 0, noData: {} }],
  ])('%s move it on', async (_what, make, more, counts) => {
    expect(await ingestFebruary(make, more)).toMatchObject(counts);
    expect(await backfilledTo()).toBe('2026-02-01');
    const run = {
      job: null,
      outcome: 'succeeded',
      rowsDropped: {},
      responses: 1,
      responseBytes: BODY.length,
    };
    expect(await newestRun(database)).toMatchObject({ ...run, ...counts });
  });

  const mark = figure('2026-02-03', 'DEM');
  const NO_RATE = 'no rate for 2026-02-01 to 2026-02-28 and no documented reason, from 1 responses';
  const AFTER_END = 'no valid rate for 2026-02-01 to 2026-02-28: 1 after-end';
  it.each<[string, (response: HttpAnswer) => Reading, string, object]>([
    ['an empty list without a reason', figures(), 'no records that hold a rate', { responses: 0 }],
    ['rates of other days', figures(later), NO_RATE, { responses: 1 }],
    ['an ended currency', figures(mark), AFTER_END, { rowsDropped: { 'after-end': 1 } }],
  ])('%s fail and leave it', async (_what, make, reason, counts) => {
    await expect(ingestFebruary(make, STEPS)).rejects.toThrow(reason);
    expect(await backfilledTo()).toBe('2026-03-01');
    const error = expect.stringContaining(reason);
    expect(await newestRun(database)).toMatchObject({ outcome: 'failed', error, ...counts });
    expect(await lastError()).toEqual(error);
  });
});

it('nothing that can be stored is a failure, and named with every reason for which rates were dropped', async () => {
  const unusable = [dollars('2026-03-30'), dollars('2026-03-30', -1), ratesOf('EUR/DEM')('2026-03-02')];
  const window = { from: '2026-03-01', to: '2026-03-31' };
  const REASONS = /^no valid rate for 2026-03-01 to 2026-03-31: (\d [a-z-]+, )+\d [a-z-]+$/;
  await expect(ingest(feedOf('ECB', unusable, { weekends: true }), { window })).rejects.toThrow(REASONS);
  // A window that begins after today fails even of a source that gives its whole history.
  const none = 'no rate for 2026-04-01 to 2026-03-20 and no documented reason, from 0 responses';
  await expect(ingest(feedOf('ECB', rows), { window: { from: '2026-04-01' } })).rejects.toThrow(none);
});

describe('a recording', () => {
  const recorded = { access: { recorded: { from: '2026-03-02', to: '2026-03-03' } } };

  it('concludes nothing about the days that it leaves out', async () => {
    const outside = { provider: 'ECB', from: '2026-03-05', to: '2026-03-06', reason: 'down', attempts: 3 };
    await ingest(feedWith(holiday), { window: { from: '2026-03-07', to: '2026-03-08' } });
    await inTransaction(database, (transaction) => setAside(transaction, outside));
    await ingest(feedOf('ECB', rows), recorded);
    expect(await backfilledTo()).toBeNull();
    expect(await readSetAside(database, 'ECB')).toMatchObject([outside]);
  });

  it('that has nothing of the window is no failure', async () => {
    const other = feedOf('ECB', [dollars('2026-02-02')], { backfillDays: 28 });
    expect(await ingest(other, recorded)).toMatchObject({ rowsNew: 0 });
  });

  it('may answer with other days than those that were asked for, the bank itself may not', async () => {
    const feed = feedWith((response) => mismatch(response, 'a holiday'));
    await expect(ingest(feed)).rejects.toThrow('http://bank.test/rates: a holiday');
    expect(await ingest(feed, recorded)).toMatchObject({ rowsNew: 0 });
  });
});

describe('what has been asked for', () => {
  const untilEmpty = { backfillDays: 20, backfillUntilEmpty: true } as const;

  it.each<[string, Feed, 'backfill' | 'schedule', CalendarDate]>([
    ['is all history once a backfill finds nothing', feedWith(holiday, untilEmpty), 'backfill', BEFORE_ALL],
    ['is the window where it finds rates', feedOf('ECB', rows, untilEmpty), 'backfill', '2026-03-01'],
    ['is the window where it was no backfill', feedWith(holiday, untilEmpty), 'schedule', '2026-03-01'],
    ['is the window of another source', feedWith(holiday, { backfillDays: 20 }), 'backfill', '2026-03-01'],
  ])('%s', async (_what, feed, reason, day) => {
    await database.pool.query(`insert into providers (key, backfilled_to) values ('ECB', '2026-03-21')`);
    expect(await ingest(feed, { reason })).toBeDefined();
    expect(await backfilledTo()).toBe(day);
  });
});

describe('a document that can not be read', () => {
  const DAYS = 'select date::text from rates order by date';
  const days = { from: '2026-03-03', to: '2026-03-03' };
  /** A bulletin a day, of which that of the 3rd can't be read. */
  const bulletins = (isOdd: boolean, given = rows): Feed => ({
    key: 'ECB',
    async *read(_window, { http }) {
      for (const { date, ...rate } of given)
        yield await oneOfMany({ from: date, to: date }, async () => {
          const response = await http.get(`http://bank.test/${date}?key=s3cret`);
          if (isOdd && date === days.from) throw new FeedError(`${response.url}: no rate for s3cret`);
          return ratesFrom(response, 'any day', [{ date, ...rate }], (one) => one);
        });
    },
  });
  const ingestBulletins = (isOdd: boolean, more: Options = {}) =>
    ingest(bulletins(isOdd), { ...keyed({ KEY: 's3cret' }), ...more });

  it('is set aside and logged, its neighbours are stored, and the source is asked for the window no more', async () => {
    const { log, lines } = openLog();
    const result = await ingestBulletins(true, { log });
    expect(await read(DAYS)).toEqual(['2026-03-02']);
    expect(await newestRun(database)).toMatchObject({ outcome: 'succeeded', rowsNew: 1, responses: 2 });
    expect([await lastError(), await backfilledTo()]).toEqual([null, '2026-03-01']);
    const [first] = await readSetAside(database);
    expect(first).toMatchObject({ provider: 'ECB', ...days, attempts: 1 });
    expect(first?.reason).toMatch(/^http:\/\/bank.test\/2026-03-03.*: no rate for/);
    expect(first?.reason).not.toContain('s3cret');
    expect(lines).toMatchObject([
      { level: 40, provider: 'ECB', run: result?.run, documents: 1, ...days, msg: 'documents are set aside' },
    ]);
  });

  it('is counted each time, and off the list once it can be read', async () => {
    await ingestBulletins(true);
    const [first] = await readSetAside(database);
    await ingestBulletins(true);
    expect(await readSetAside(database)).toEqual([{ ...first, attempts: 2 }]);
    await ingestBulletins(false);
    expect(await readSetAside(database)).toEqual([]);
    expect(await read(DAYS)).toEqual(['2026-03-02', '2026-03-03']);
  });

  it('is not held against the provider where it is tried again alone', async () => {
    await ingestBulletins(true);
    const again = { window: days, reason: 'retry' } as const;
    await expect(ingest(bulletins(true, rows.slice(1)), again)).rejects.toThrow('no rate for');
    expect(await newestRun(database)).toMatchObject({ outcome: 'failed', reason: 'retry' });
    expect(await lastError()).toBeNull();
    expect(await readSetAside(database)).toMatchObject([{ ...days, attempts: 2 }]);
    await ingest(feedOf('ECB', rows.slice(1)), again);
    expect(await readSetAside(database)).toEqual([]);
  });
});

describe('a source that asks to be left alone', () => {
  const HOUR = 3_600_000;
  const REQUEST = { method: 'GET', url: 'http://bank.test/' } as const;
  const refused = (status: number, retryAfterMs?: number) =>
    new HttpClientError('status', REQUEST, `status ${status}`, { status, retryAfterMs });

  it.each<[string, number | null, Error]>([
    ['for an hour', 1, refused(429, HOUR)],
    ['while it is mended', 5, refused(503, 5 * HOUR)],
    ['for years, which is a mistake', 7 * 24, refused(429, 1e5 * HOUR)],
    ['for a moment', null, refused(429, 59_000)],
    ['without a time', null, refused(503)],
    ['with another status', null, refused(404, HOUR)],
    ['not at all', null, new FeedError('status unknown')],
  ])('%s: it is left alone for %s hours, which is no failure of its', async (_which, hours, error) => {
    await expect(ingest(failing(error))).rejects.toBe(error);
    const left = await read('select round(extract(epoch from ask_after - now()) / 3600) from providers');
    expect(left).toEqual([String(hours)]);
    expect(await newestRun(database)).toMatchObject({ outcome: 'failed', error: error.message });
    expect(await lastError()).toBe(hours === null ? error.message : null);
    await ingest(feedOf('ECB', rows));
    expect(await read('select ask_after from providers')).toEqual(['null']);
  });
});

it.each([
  ['ECB', [{ level: 40, provider: 'ECB', run: '2', date: '2026-03-10', currencies: 2, usual: 6 }]],
  ['UST', []],
])('an incomplete day of %s is logged, unless its rates are set for a period', async (key, expected) => {
  const { log, lines } = openLog();
  const rowsOf = (date: CalendarDate, quotes: readonly string[]) =>
    quotes.map((quote) => ratesOf(`EUR/${quote}`)(date));
  const usual = ['AUD', 'CAD', 'CHF', 'GBP', 'JPY', 'NOK'];
  const before = [2, 3, 4, 5, 6, 9].flatMap((day) => rowsOf(`2026-03-0${day}`, usual));
  for (const given of [before, rowsOf('2026-03-10', ['AUD', 'CAD'])])
    await ingest(feedOf(key, given), { log });
  expect(lines).toMatchObject(expected.map((line) => ({ ...line, msg: 'an incomplete day' })));
});
