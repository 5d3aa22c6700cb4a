import type { Job } from 'bullmq';
import { beforeEach, expect, it } from 'vitest';
import { recordDecision } from '../../../core/database/operators.js';
import { findDecidable, type Verdict } from '../../../core/database/suspects.js';
import { inTransaction } from '../../../core/database/transactions.js';
import type { BlendJob, BlendOutcome } from '../../../core/queues/queues.js';
import { storeAndBlend } from '../../../worker/ingest/store.js';
import { blendProcessor } from '../../../worker/jobs/blend-job.js';
import { ownDatabase, readRows } from '../../worker/ingest/support.js';
import { log } from './support.js';

const database = await ownDatabase();

/** Stores rates of the naira, by day. */
const store = (rates: Record<string, number>) =>
  inTransaction(database, (transaction) => {
    const rows = Object.entries(rates).map(([date, rate]) => ({ date, base: 'USD', quote: 'NGN', rate }));
    return storeAndBlend(transaction, 'CBN', rows);
  });

let suspect: string;
beforeEach(async () => {
  await store({ '2023-06-12': 464.67, '2023-06-13': 464.8 });
  await store({ '2023-06-14': 4648 });
  [[suspect]] = (await readRows(database, 'select id::text from suspects')) as [[string]];
});

/** Everything that a decision changes. */
async function shown() {
  const read = (text: string) => readRows(database, text);
  return {
    suspects: await read('select status, resolved_by from suspects order by id'),
    states: await read('select status from suspect_states order by since'),
    days: await read(`select date from blended_days where quote = 'NGN' order by date`),
    versions: await read('select version from data_versions'),
  };
}

/** Writes down a decision of an operator. Returns what the worker does with its job. */
async function decide(status: Verdict): Promise<() => Promise<BlendOutcome>> {
  const decision = await recordDecision(database, { suspect, status }, { operator: 'token', client: 'x' });
  const process = blendProcessor({ database, announcements: { publish: async () => {} }, log });
  return () => process({ data: { decision } } as Job<BlendJob, BlendOutcome, string>);
}

it("an operator's decision on a suspect rate shows nothing before its job has run, and then all of it with one data version", async () => {
  const before = await shown();
  const work = await decide('accepted');
  expect(await shown()).toEqual(before);
  expect(await work()).toEqual({ version: '3' });
  const after = {
    suspects: [['accepted', 'token']],
    states: [['held'], ['accepted']],
    days: [['2023-06-12'], ['2023-06-13'], ['2023-06-14']],
    versions: [['1'], ['2'], ['3']],
  };
  expect(await shown()).toEqual(after);
  // It is the same when it is applied twice.
  expect(await work()).toEqual({ version: null });
  expect(await shown()).toEqual(after);
});

it("an operator's decision on a suspect rate gives way to a later one, in whatever order they are applied", async () => {
  const [first, last] = [await decide('accepted'), await decide('rejected')];
  await last();
  const rejected = await shown();
  expect(rejected.suspects).toEqual([['rejected', 'token']]);
  expect(await first()).toEqual({ version: null });
  expect(await shown()).toEqual(rejected);
  await (await decide('accepted'))();
  expect((await shown()).suspects).toEqual([['accepted', 'token']]);
});

it("an operator's decision on a suspect rate is not on a rate that there is not, or that its provider has restated", async () => {
  expect(await findDecidable(database, suspect)).toMatchObject({ id: suspect });
  expect(await findDecidable(database, '99999')).toBeUndefined();
  const work = await decide('rejected');
  await store({ '2023-06-14': 465.1 });
  const restated = await shown();
  expect(await work()).toEqual({ version: null });
  expect(await shown()).toEqual(restated);
  expect(await findDecidable(database, suspect)).toBeUndefined();
});
