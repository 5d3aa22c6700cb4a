import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { RateRow } from '../../../worker/feeds/feed.js';
import { groupCommit } from '../../../worker/ingest/group-commit.js';
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
