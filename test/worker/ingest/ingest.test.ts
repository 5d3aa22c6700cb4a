import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ProviderBusy } from '../../../core/database/locks.js';
import { readBackfilledTo, readProviderStates } from '../../../core/database/providers.js';
import { readSetAside, setAside } from '../../../core/database/set-aside.js';
import { inTransaction } from '../../../core/database/transactions.js';
import type { CalendarDate } from '../../../core/domain/dates.js';
import { HttpClientError } from '../../../core/http-client/http-client-error.js';
import {
  BEFORE_ALL,
  type Feed,
  FeedError,
  mismatch,
  noData,
  oneOfMany,
  type RateRow,
  type Reading,
  ratesFrom,
} from '../../../worker/feeds/feed.js';
import { CredentialsMissing } from '../../../worker/ingest/ingest.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';
import { BODY, emptyTables, feedOf, ingestFrom, newestRun, openLog, readRows } from './support.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());
beforeEach(() => emptyTables(database));

const dollars = (date: CalendarDate, rate = 1.1): RateRow => ({ date, base: 'EUR', quote: 'USD', rate });
const rows = [dollars('2026-03-02'), dollars('2026-03-03')];
const failing = (error: unknown) =>
  feedOf('ECB', () => {
    throw error;
  });
const lastError = async () => (await readProviderStates(database)).get('ECB')?.lastError;

/** A feed whose only response says what `read` makes of it. */
function feedWith(read: (...given: Parameters<typeof noData>) => ReturnType<typeof noData>, more = {}): Feed {
  return {
    key: 'ECB',
    ...more,
    async *read(_window, { http }) {
      yield read(await http.get('http://bank.test/rates'), 'a holiday');
    },
  };
}

describe('a run', () => {
  it('remembers its job, its reason and its window, and what its caller is told', async () => {
    const window = { from: '2026-03-01', to: '2026-03-05' };
    const more = { window, reason: 'operator', jobId: 'job-7' } as const;
    const result = await ingestFrom(database, feedOf('ECB', rows), more);
    const counts = { rowsNew: 2, rowsCorrected: 0, rowsUnchanged: 0, rowsDropped: {}, responses: 1 };
    expect(result).toMatchObject({ ...counts, responseBytes: BODY.length });
    expect(await newestRun(database)).toMatchObject({
      id: result?.run,
      job: 'job-7',
      reason: 'operator',
      ...window,
      outcome: 'succeeded',
      ...counts,
      responseBytes: BODY.length,
    });
  });

  it('without a last day reaches up to today, and belongs to no job where none made it', async () => {
    await ingestFrom(database, feedOf('ECB', rows));
    expect(await newestRun(database)).toMatchObject({ job: null, from: '2026-03-01', to: '2026-03-20' });
  });

  it('counts the bytes of all responses', async () => {
    const feed: Feed = {
      key: 'ECB',
      async *read(_window, { http, navigation }) {
        await navigation.get('http://bank.test/list');
        yield noData(await http.get('http://bank.test/rates'), 'a holiday');
      },
    };
    await ingestFrom(database, feed);
    expect(await newestRun(database)).toMatchObject({ responses: 2, responseBytes: 2 * BODY.length });
  });

  it('gives the feed a log that names the provider', async () => {
    const { log, lines } = openLog();
    const feed: Feed = {
      key: 'ECB',
      async *read(_window, context) {
        context.log.info('reading');
        yield noData(await context.http.get('http://bank.test/rates'), 'a holiday');
      },
    };
    await ingestFrom(database, feed, { log });
    expect(lines).toMatchObject([{ provider: 'ECB', msg: 'reading' }]);
  });

  it('has the values of the credentials for the feed', async () => {
    let given: unknown;
    const feed: Feed = {
      key: 'ECB',
      async *read(_window, { credentials, http }) {
        given = credentials;
        yield noData(await http.get('http://bank.test/rates'), 'a holiday');
      },
    };
    const credentials = { status: 'present', values: { KEY: 's3cret' } } as const;
    await ingestFrom(database, feed, { access: { credentials } });
    expect(given).toEqual({ KEY: 's3cret' });
  });
});

describe('a window that is not wanted any more', () => {
  it('is not read, and gives the lock back', async () => {
    const read = vi.fn(() => rows);
    const stillWanted = async () => {
      // Another ingest must not begin between the question and the answer.
      await expect(ingestFrom(database, feedOf('ECB', rows))).rejects.toThrow(ProviderBusy);
      return false;
    };
    expect(await ingestFrom(database, feedOf('ECB', read), { stillWanted })).toBeUndefined();
    expect(read).not.toHaveBeenCalled();
    expect(await newestRun(database)).toBeUndefined();
    expect(await ingestFrom(database, feedOf('ECB', rows), { stillWanted: async () => true })).toMatchObject({
      rowsNew: 2,
    });
  });
});

it('only what changes rates is announced, once it is committed', async () => {
  const announced: bigint[] = [];
  const publish = async (version: bigint) => {
    expect(await readRows(database, 'select max(version)::text from data_versions')).toEqual([
      [version.toString()],
    ]);
    announced.push(version);
  };
  const ingest = (rate: number) =>
    ingestFrom(database, feedOf('ECB', [dollars('2026-03-02', rate)]), { announcements: { publish } });
  const versions = [await ingest(1.1), await ingest(1.1), await ingest(1.2)].map((one) => one?.version);
  expect(versions).toEqual([1n, undefined, 2n]);
  expect(announced).toEqual([1n, 2n]);
});

describe('a failure', () => {
  it('is recorded with its cause, and held against the provider', async () => {
    const told: string[] = [];
    const error = new Error('no response', { cause: new Error('certificate has expired') });
    const ingesting = ingestFrom(database, failing(error), {
      onFailure: async (transaction, reason) => {
        // What is done here is part of the record: see setAside.
        expect(await transaction.prisma.ingestRun.count({ where: { outcome: 'failed' } })).toBe(1);
        told.push(reason);
      },
    });
    await expect(ingesting).rejects.toThrow('no response');
    const reason = 'no response (certificate has expired)';
    expect(await newestRun(database)).toMatchObject({ outcome: 'failed', error: reason });
    expect(await lastError()).toBe(reason);
    expect(told).toEqual([reason]);
  });

  it.each<[string, unknown, string]>([
    ['of a cause that is no error', new Error('no response', { cause: 'unknown' }), 'no response'],
    ['that is no error', 'no response', 'no response'],
    ['that is nothing', null, 'null'],
    ['of many words', new Error('long '.repeat(200)), 'long '.repeat(100)],
  ])('%s is one line of 500 characters at most', async (_which, error, reason) => {
    await expect(ingestFrom(database, failing(error))).rejects.toBe(error);
    expect((await newestRun(database))?.error).toBe(reason);
  });

  it('of a worker that is stopping is not held against the provider', async () => {
    const onFailure = vi.fn();
    const stopping = new AbortController();
    const feed = feedOf('ECB', () => {
      stopping.abort();
      throw new Error('stopped');
    });
    await expect(ingestFrom(database, feed, { stopping: stopping.signal, onFailure })).rejects.toThrow(
      'stopped',
    );
    expect(await newestRun(database)).toMatchObject({ outcome: 'failed', error: 'stopped' });
    expect(await lastError()).toBeNull();
    expect(onFailure).not.toHaveBeenCalled();
  });

  it('of a worker that could stop but does not is', async () => {
    const { signal } = new AbortController();
    await expect(ingestFrom(database, failing(new Error('down')), { stopping: signal })).rejects.toThrow(
      'down',
    );
    expect(await lastError()).toBe('down');
  });

  it('that can not be recorded is logged, and thrown all the same', async () => {
    const { log, lines } = openLog();
    const ingesting = ingestFrom(database, failing(new Error('down')), {
      log,
      onFailure: () => Promise.reject(new Error('the database is gone')),
    });
    await expect(ingesting).rejects.toThrow('down');
    const run = await newestRun(database);
    expect(run).toMatchObject({ outcome: 'running', error: null });
    expect(lines).toMatchObject([
      {
        level: 40,
        provider: 'ECB',
        run: run?.id,
        reason: 'the database is gone',
        msg: 'failure could not be recorded',
      },
    ]);
  });

  it('gives the lock back', async () => {
    await expect(ingestFrom(database, failing(new Error('down')))).rejects.toThrow('down');
    expect(await ingestFrom(database, feedOf('ECB', rows))).toMatchObject({ rowsNew: 2 });
  });

  it('says which credentials are missing, without asking the bank', async () => {
    const read = vi.fn(() => rows);
    const access = { credentials: { status: 'missing', names: ['ONE_KEY', 'TWO_KEY'] } } as const;
    const ingesting = ingestFrom(database, feedOf('ECB', read), { access });
    await expect(ingesting).rejects.toBeInstanceOf(CredentialsMissing);
    await expect(ingesting).rejects.toMatchObject({
      name: 'CredentialsMissing',
      message: 'needs_key: ONE_KEY, TWO_KEY',
    });
    expect((await newestRun(database))?.error).toBe('needs_key: ONE_KEY, TWO_KEY');
    expect(read).not.toHaveBeenCalled();
  });

  it('shows no credential in its message, its stack or its cause, however it was encoded', async () => {
    const values = { KEY: 's3cret/+', EMPTY: '' };
    const cause = new Error('403 at http://bank.test/s3cret/+');
    const error = new Error('not known: s3cret/+, s3cret%2F%2B', { cause });
    // A stack is made when it is first read, of the message at that time.
    expect(`${error.stack}${cause.stack}`).toContain('s3cret');
    const access = { credentials: { status: 'present', values } } as const;
    await expect(ingestFrom(database, failing(error), { access })).rejects.toBe(error);
    expect(error.message).toBe('not known: ***, ***');
    expect(error.stack).toContain('not known: ***, ***\n');
    expect(`${error.stack}${cause.stack}`).not.toContain('s3cret');
    expect((await newestRun(database))?.error).toBe('not known: ***, *** (403 at http://bank.test/***)');
  });

  it('that has lost its stack is thrown all the same', async () => {
    const error = new Error('down');
    delete error.stack;
    const access = { credentials: { status: 'present', values: { KEY: 's3cret' } } } as const;
    await expect(ingestFrom(database, failing(error), { access })).rejects.toBe(error);
    expect(error.stack).toBeUndefined();
  });
});

describe('nothing that can be stored', () => {
  it('is named with every reason for which rates were dropped', async () => {
    const unusable = [dollars('2026-03-30'), dollars('2026-03-30', -1)];
    const old = { ...dollars('2026-03-02'), quote: 'DEM' };
    const ingesting = ingestFrom(database, feedOf('ECB', [...unusable, old], { weekends: true }), {
      window: { from: '2026-03-01', to: '2026-03-31' },
    });
    await expect(ingesting).rejects.toThrow(
      /^no valid rate for 2026-03-01 to 2026-03-31: (\d [a-z-]+, )+\d [a-z-]+$/,
    );
  });

  it('is a failure where the window begins after today, even of a source that gives its whole history', async () => {
    const ingesting = ingestFrom(database, feedOf('ECB', rows), { window: { from: '2026-04-01' } });
    await expect(ingesting).rejects.toThrow(
      'no rate for 2026-04-01 to 2026-03-20 and no documented reason, from 0 responses',
    );
  });

  it('is an answer for a documented reason, also of a source that gives days', async () => {
    const result = await ingestFrom(database, feedWith(noData, { backfillDays: 28 }));
    expect(result).toMatchObject({ version: undefined, noData: { 'a holiday': 1 } });
  });
});

describe('a recording', () => {
  const recorded = { from: '2026-03-02', to: '2026-03-03' };
  const outside = { provider: 'ECB', from: '2026-03-05', to: '2026-03-06', reason: 'down', attempts: 3 };

  it('says nothing of the days that it leaves out', async () => {
    await ingestFrom(database, feedWith(noData), { window: { from: '2026-03-07', to: '2026-03-08' } });
    await inTransaction(database, (transaction) => setAside(transaction, outside));
    await ingestFrom(database, feedOf('ECB', rows), { access: { recorded } });
    expect(await readBackfilledTo(database, 'ECB')).toBeNull();
    expect(await readSetAside(database, 'ECB')).toMatchObject([outside]);
  });

  it('that has nothing of the window is no failure', async () => {
    const other = feedOf('ECB', [dollars('2026-02-02')], { backfillDays: 28 });
    expect(await ingestFrom(database, other, { access: { recorded } })).toMatchObject({ rowsNew: 0 });
  });

  it('may answer with other days than those that were asked for, the bank itself may not', async () => {
    const feed = feedWith(mismatch);
    await expect(ingestFrom(database, feed)).rejects.toThrow('http://bank.test/rates: a holiday');
    expect(await ingestFrom(database, feed, { access: { recorded } })).toMatchObject({ rowsNew: 0 });
  });
});

describe('what has been asked for', () => {
  beforeEach(() =>
    database.pool.query(`insert into providers (key, backfilled_to) values ('ECB', '2026-03-21')`),
  );
  const untilEmpty = { backfillDays: 20, backfillUntilEmpty: true } as const;

  it.each<[string, Feed, 'backfill' | 'schedule', CalendarDate]>([
    ['is all of history once a backfill finds nothing', feedWith(noData, untilEmpty), 'backfill', BEFORE_ALL],
    ['is the window where it finds rates', feedOf('ECB', rows, untilEmpty), 'backfill', '2026-03-01'],
    ['is the window where it was no backfill', feedWith(noData, untilEmpty), 'schedule', '2026-03-01'],
    ['is the window of any other source', feedWith(noData, { backfillDays: 20 }), 'backfill', '2026-03-01'],
  ])('%s', async (_what, feed, reason, backfilledTo) => {
    await ingestFrom(database, feed, { reason });
    expect(await readBackfilledTo(database, 'ECB')).toBe(backfilledTo);
  });

  it('is not set aside any more', async () => {
    const window = (from: CalendarDate, to: CalendarDate) =>
      inTransaction(database, (transaction) =>
        setAside(transaction, { provider: 'ECB', from, to, reason: 'down', attempts: 3 }),
      );
    await window('2026-03-01', '2026-03-20');
    await window('2026-02-28', '2026-03-02');
    await ingestFrom(database, feedOf('ECB', rows));
    expect(await readSetAside(database)).toMatchObject([{ from: '2026-02-28', to: '2026-03-02' }]);
  });
});

describe('a document that can not be read', () => {
  const DAYS = 'select date::text from rates order by date';
  const days = { from: '2026-03-03', to: '2026-03-03' };
  /** A bulletin a day, of which that of the 3rd can't be read. */
  const bulletins = (isOdd: boolean): Feed => ({
    key: 'ECB',
    async *read(_window, { http }) {
      for (const { date, ...rate } of rows)
        yield await oneOfMany({ from: date, to: date }, async () => {
          const response = await http.get(`http://bank.test/${date}?key=s3cret`);
          if (isOdd && date === days.from) throw new FeedError(`${response.url}: no rate for s3cret`);
          return ratesFrom(response, 'any day', [{ date, ...rate }], (one) => one);
        });
    },
  });
  const ingestBulletins = (isOdd: boolean, more: Parameters<typeof ingestFrom>[2] = {}) =>
    ingestFrom(database, bulletins(isOdd), {
      access: { credentials: { status: 'present', values: { KEY: 's3cret' } } },
      ...more,
    });

  it('is set aside and logged, its neighbours are stored, and the source is asked for the window no more', async () => {
    const { log, lines } = openLog();
    const result = await ingestBulletins(true, { log });
    expect(await readRows(database, DAYS)).toEqual([['2026-03-02']]);
    expect(await newestRun(database)).toMatchObject({ outcome: 'succeeded', rowsNew: 1, responses: 2 });
    expect([await lastError(), await readBackfilledTo(database, 'ECB')]).toEqual([null, '2026-03-01']);
    const [first] = await readSetAside(database);
    expect(first).toMatchObject({ provider: 'ECB', ...days, attempts: 1 });
    expect(first?.reason).toMatch(/^http:\/\/bank.test\/2026-03-03.*: no rate for/);
    expect(first?.reason).not.toContain('s3cret');
    expect(lines).toMatchObject([
      { level: 40, provider: 'ECB', run: result?.run, ...days, msg: 'a document is set aside' },
    ]);
  });

  it('is counted each time, and off the list once it can be read', async () => {
    await ingestBulletins(true);
    const [first] = await readSetAside(database);
    await ingestBulletins(true);
    expect(await readSetAside(database)).toEqual([{ ...first, attempts: 2 }]);
    await ingestBulletins(false);
    expect(await readSetAside(database)).toEqual([]);
    expect(await readRows(database, DAYS)).toEqual([['2026-03-02'], ['2026-03-03']]);
  });

  it('is not held against the provider where it is tried again alone', async () => {
    await ingestBulletins(true);
    const alone: Feed = {
      ...bulletins(true),
      read: (_window, context) => only(bulletins(true).read(days, context)),
    };
    await expect(ingestFrom(database, alone, { window: days, reason: 'retry' })).rejects.toThrow(
      'no rate for',
    );
    expect(await newestRun(database)).toMatchObject({ outcome: 'failed', reason: 'retry' });
    expect(await lastError()).toBeNull();
    expect(await readSetAside(database)).toMatchObject([{ ...days, attempts: 2 }]);
    await ingestFrom(database, feedOf('ECB', [dollars('2026-03-03')]), { window: days, reason: 'retry' });
    expect(await readSetAside(database)).toEqual([]);
  });

  /** The last of the readings. */
  async function* only(readings: AsyncIterable<Reading>): AsyncIterable<Reading> {
    const all: Reading[] = [];
    for await (const reading of readings) all.push(reading);
    yield* all.slice(-1);
  }
});

describe('a source that asks to be left alone', () => {
  const refused = (status: number, retryAfterMs?: number) =>
    new HttpClientError('status', { method: 'GET', url: 'http://bank.test/' }, `status ${status}`, {
      status,
      retryAfterMs,
    });
  const HOUR = 3_600_000;
  /** For how many hours it is left alone after this error. */
  async function hoursAlone(error: unknown): Promise<number | undefined> {
    await expect(ingestFrom(database, failing(error))).rejects.toThrow();
    const [[seconds] = []] = await readRows(
      database,
      'select extract(epoch from ask_after - now())::float from providers',
    );
    return seconds === null ? undefined : Math.round(Number(seconds) / 3600);
  }

  it.each([
    ['for an hour', refused(429, HOUR), 1],
    ['while it is mended', refused(503, 5 * HOUR), 5],
    ['for years, which is a mistake', refused(429, 1e5 * HOUR), 7 * 24],
  ])('%s is left alone, which is no failure of its', async (_, error, hours) => {
    expect(await hoursAlone(error)).toBe(hours);
    expect(await newestRun(database)).toMatchObject({
      outcome: 'failed',
      error: expect.stringMatching(/status \d{3}/),
    });
    expect(await lastError()).toBeNull();
    await ingestFrom(database, feedOf('ECB', rows));
    expect(await readRows(database, 'select ask_after from providers')).toEqual([[null]]);
  });

  it.each([
    ['for a moment', refused(429, 59_000)],
    ['without a time', refused(503)],
    ['with another status', refused(404, HOUR)],
    ['not at all', new FeedError('odd')],
  ])('%s is failing', async (_, error) => {
    expect(await hoursAlone(error)).toBeUndefined();
    expect(await lastError()).not.toBeNull();
  });
});

describe('a thin day', () => {
  const quotes = ['AUD', 'CAD', 'CHF', 'GBP', 'JPY', 'NOK'];
  const rowsOf = (date: CalendarDate, some: readonly string[]) =>
    some.map((quote) => ({ date, base: 'EUR', quote, rate: 1.1 }));
  const before = [2, 3, 4, 5, 6, 9].map((day) => `2026-03-0${day}`).flatMap((date) => rowsOf(date, quotes));
  const few = rowsOf('2026-03-10', ['AUD', 'CAD']);

  it('is logged', async () => {
    const { log, lines } = openLog();
    await ingestFrom(database, feedOf('ECB', before), { log });
    const { run } = (await ingestFrom(database, feedOf('ECB', few), { log })) ?? {};
    const day = { date: '2026-03-10', currencies: 2, usual: 6 };
    expect(lines).toMatchObject([{ level: 40, provider: 'ECB', run, ...day, msg: 'a thin day' }]);
  });

  it('is not looked for among rates that are set for a period', async () => {
    const { log, lines } = openLog();
    for (const feed of [feedOf('UST', before), feedOf('UST', few)]) await ingestFrom(database, feed, { log });
    expect(lines).toEqual([]);
  });
});
