import pino from 'pino';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Feed, type RateRow, ratesFrom } from '../../../worker/feeds/feed.js';
import type { HttpClient } from '../../../worker/feeds/http/client.js';
import { httpAnswer } from '../../../worker/feeds/http/response.js';
import { groupCommit } from '../../../worker/ingest/group-commit.js';
import { type IngestDeps, ingest } from '../../../worker/ingest/ingest.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.pool.query(
    `truncate rates, rate_revisions, suspects, currencies, currency_coverage, providers, ingest_runs,
       blended_days, blended_weeks, blended_months, data_versions`,
  );
});

const SECRET = 's3cret';

const http: HttpClient = {
  get: async (url) =>
    httpAnswer({
      url,
      status: 200,
      headers: new Map(),
      cookies: [],
      receivedAt: new Date('2023-06-15T16:00:00Z'),
      bytes: Buffer.from('rates'),
    }),
  post: () => Promise.reject(new Error('not used')),
  pause: async () => {},
};

const naira = (date: string, rate: number): RateRow => ({ date, base: 'USD', quote: 'NGN', rate });

/** Ingests what `rowsOf` gives, and returns the log and the steps that it went through. */
async function run(rowsOf: () => RateRow[]) {
  const lines: Record<string, unknown>[] = [];
  const steps: string[] = [];
  const feed: Feed = {
    key: 'CBN',
    async *read(_window, context) {
      const response = await context.http.get('http://bank.test/rates');
      yield ratesFrom(response, 'any day', rowsOf(), (row) => row);
    },
  };
  const deps: IngestDeps = {
    database,
    announcements: { publish: async () => {} },
    source: {
      open: async () => ({
        http,
        today: '2023-06-15',
        credentials: { status: 'present', values: { KEY: SECRET } },
      }),
      close: async () => {},
    },
    log: pino({ base: null }, { write: (line: string) => lines.push(JSON.parse(line)) }),
    reason: 'schedule',
    onProgress: (step) => steps.push(step),
  };
  const result = await ingest(feed, { from: '2023-06-10' }, deps);
  return { lines, steps, result };
}

it('an ingest tells how far it is, and of rates that it holds back and takes in later', async () => {
  await run(() => [naira('2023-06-12', 464.67), naira('2023-06-13', 464.8)]);
  const held = await run(() => [naira('2023-06-14', 664.04)]);
  expect(held.steps).toEqual(['reading', 'storing', 'stored']);
  const suspect = {
    provider: 'CBN',
    base: 'USD',
    quote: 'NGN',
    date: '2023-06-14',
    rate: 664.04,
    reason: 'jump',
  };
  expect(held.lines).toContainEqual(
    expect.objectContaining({
      ...suspect,
      run: held.result?.run,
      expected: 464.8,
      level: 40,
      msg: 'a suspect rate is held back from the blend',
    }),
  );
  const { lines } = await run(() => [naira('2023-06-15', 671.1)]);
  expect(lines).toContainEqual(
    expect.objectContaining({
      ...suspect,
      status: 'confirmed',
      level: 30,
      msg: 'a suspect rate is resolved',
    }),
  );
});

it('an error that echoes a credential shows it neither in the run nor to the caller', async () => {
  const failing = run(() => {
    throw new Error(`the key ${SECRET} is not known`);
  });
  await expect(failing).rejects.toThrow('the key *** is not known');
  const { rows } = await database.pool.query('select outcome::text, error from ingest_runs');
  expect(rows).toEqual([{ outcome: 'failed', error: expect.stringContaining('the key *** is not known') }]);
});

it('of those that are stored together each is told of its own suspects', async () => {
  const storing = groupCommit(database);
  const at = { id: '1', reading: 1 };
  await storing('CBN', [naira('2023-06-12', 464.67), naira('2023-06-13', 464.8)], at, async () => {});
  const dinar = (date: string, rate: number): RateRow => ({ date, base: 'USD', quote: 'KWD', rate });
  await storing('CBK', [dinar('2023-06-12', 0.307), dinar('2023-06-13', 0.307)], at, async () => {});
  // The first to arrive is stored alone, those that arrive meanwhile together.
  const [, nigeria, kuwait, ecb] = await Promise.all([
    storing('BOC', [{ date: '2023-06-12', base: 'USD', quote: 'CAD', rate: 1.33 }], at, async () => {}),
    storing('CBN', [naira('2023-06-14', 664.04)], at, async () => {}),
    storing('CBK', [dinar('2023-06-14', 30.7)], at, async () => {}),
    storing('ECB', [{ date: '2023-06-14', base: 'EUR', quote: 'USD', rate: 1.08 }], at, async () => {}),
  ]);
  expect(nigeria?.suspects).toMatchObject([{ rate: 664.04 }]);
  expect(kuwait?.suspects).toMatchObject([{ rate: 30.7 }]);
  expect(ecb?.suspects).toEqual([]);
});
