import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { RateRow } from '../../../worker/feeds/feed.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';
import { emptyTables, feedOf, ingestFrom, newestRun, openLog } from './support.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());
beforeEach(() => emptyTables(database));

const SECRET = 's3cret';

const naira = (date: string, rate: number): RateRow => ({ date, base: 'USD', quote: 'NGN', rate });

/** Ingests what `rowsOf` gives, and returns the log and the steps that it went through. */
async function run(rowsOf: () => RateRow[]) {
  const { log, lines } = openLog();
  const steps: string[] = [];
  const result = await ingestFrom(database, feedOf('CBN', rowsOf), {
    window: { from: '2023-06-10' },
    access: { today: '2023-06-15', credentials: { status: 'present', values: { KEY: SECRET } } },
    log,
    onProgress: (step) => steps.push(step),
  });
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
  expect(await newestRun(database, 'CBN')).toMatchObject({
    outcome: 'failed',
    error: expect.stringContaining('the key *** is not known'),
  });
});
