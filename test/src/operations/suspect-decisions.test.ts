import type { Job } from 'bullmq';
import { beforeEach, describe, expect, it } from 'vitest';
import { findDecidable, type Proposal, type Verdict } from '../../../core/database/decisions.js';
import { lockData } from '../../../core/database/locks.js';
import { recordDecision } from '../../../core/database/operators.js';
import { readSuspects } from '../../../core/database/suspects.js';
import { inTransaction } from '../../../core/database/transactions.js';
import type { BlendJob, BlendOutcome } from '../../../core/queues/queues.js';
import { storeAndBlend } from '../../../worker/ingest/store.js';
import { blendProcessor } from '../../../worker/jobs/blend-job.js';
import { emptyTables, ownDatabase, readRows, storeIn } from '../../worker/ingest/support.js';
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

const process = blendProcessor({ database, announcements: { publish: async () => {} }, log });
const work = (data: BlendJob) => process({ data } as Job<BlendJob, BlendOutcome, string>);

/** Writes down a decision of an operator. Returns what the worker does with its job. */
async function decide(status: Verdict, of: Partial<Proposal> = {}): Promise<() => Promise<BlendOutcome>> {
  const proposal = { suspect, status, ...of };
  const decision = await recordDecision(database, proposal, { operator: 'token', client: 'x' });
  return () => work({ decision });
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
  expect(await findDecidable(database, { suspect })).toMatchObject({ id: suspect });
  expect(await findDecidable(database, { suspect: '99999' })).toBeUndefined();
  const work = await decide('rejected');
  await store({ '2023-06-14': 465.1 });
  const restated = await shown();
  expect(await work()).toEqual({ version: null });
  expect(await shown()).toEqual(restated);
  expect(await findDecidable(database, { suspect })).toBeUndefined();
});

it('a decision that is taken back leaves the rate as before, with its history', async () => {
  const before = await shown();
  await (await decide('accepted'))();
  const undo = await decide('held');
  expect(await undo()).toEqual({ version: '4' });
  expect(await undo()).toEqual({ version: null });
  const { suspects, days, states } = await shown();
  expect({ suspects, days }).toEqual({ suspects: before.suspects, days: before.days });
  expect(states).toEqual([['held'], ['accepted'], ['held']]);
  const acts = await readRows(database, 'select act from operator_acts order by id desc limit 2');
  expect(acts).toEqual([['reopen suspect'], ['accept suspect']]);
});

it('a decision may be previewed, which changes nothing, unless another writer is at work', async () => {
  await storeIn(database, 'ECB', { date: '2023-06-14', base: 'EUR', quote: 'USD', rate: 1.08 });
  const before = await shown();
  const preview = { suspect, status: 'accepted' } as const;
  const largest = [{ quote: 'NGN', date: '2023-06-14', before: 464.8, after: 4648 }];
  const expected = { days: 1, range: { from: '2023-06-14', to: '2023-06-14' }, currencies: 1, largest };
  expect(await work({ preview })).toEqual({ version: null, preview: expected });
  const ofNothing = { days: 0, range: null, currencies: 0, largest: [] };
  expect(await work({ preview: { suspect, status: 'held' } })).toEqual({ version: null, preview: ofNothing });
  await inTransaction(database, async (transaction) => {
    await lockData(transaction);
    expect(await work({ preview })).toEqual({ version: null, preview: 'busy' });
  });
  expect(await shown()).toEqual(before);
});

describe('of a table whose own currency moved', () => {
  let pairs: Record<string, string>;
  beforeEach(async () => {
    await emptyTables(database);
    for (const [date, by] of Object.entries({ '2026-01-02': 1, '2026-01-03': 1.4, '2026-01-04': 1 })) {
      const rate = (base: string, rate: number) => ({ date, base, quote: 'ISK', rate: rate * by });
      await storeIn(database, 'SBI', rate('USD', 100), rate('EUR', 120), rate('GBP', 150));
    }
    pairs = Object.fromEntries(await readRows(database, 'select base, id::text from suspects'));
  });
  const statuses = async () =>
    Object.fromEntries(
      await readRows(database, "select base, status from suspects where date = '2026-01-03'"),
    );

  it('an operator may decide on one rate alone, which the decision on the table leaves', async () => {
    const alone = { suspect: pairs.GBP ?? '', only: 'rate' } as const;
    expect(await findDecidable(database, { suspect: alone.suspect })).toBeUndefined();
    expect(await findDecidable(database, alone)).toMatchObject({ base: 'GBP' });
    await (await decide('rejected', alone))();
    expect(await statuses()).toEqual({ USD: 'held', EUR: 'held', GBP: 'rejected' });
    await (await decide('accepted', { suspect: pairs.USD ?? '' }))();
    expect(await statuses()).toEqual({ USD: 'accepted', EUR: 'accepted', GBP: 'rejected' });
    await (await decide('held', { suspect: pairs.USD ?? '' }))();
    expect(await statuses()).toEqual({ USD: 'held', EUR: 'held', GBP: 'rejected' });
    await (await decide('held', alone))();
    expect(await statuses()).toEqual({ USD: 'held', EUR: 'held', GBP: 'held' });
    expect((await readSuspects(database, {}, 10)).map(({ rates }) => rates)).toEqual([3]);
  });

  it('a later decision on one rate holds, in whatever order they are applied', async () => {
    const whole = await decide('accepted', { suspect: pairs.USD ?? '' });
    const alone = await decide('rejected', { suspect: pairs.USD ?? '', only: 'rate' });
    await alone();
    await whole();
    expect(await statuses()).toMatchObject({ USD: 'rejected' });
  });
});
