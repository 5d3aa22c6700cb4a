import { describe, expect, it } from 'vitest';
import type { Verdict } from '../../../core/database/decisions.js';
import { readLeftOut, readSuspects, statesOf } from '../../../core/database/suspects.js';
import { inOneView } from '../../../core/database/transactions.js';
import { applyDecision } from '../../../worker/blend/decisions.js';
import { rebuild } from '../../../worker/blend/reblend.js';
import { ownDatabase, readLines } from '../ingest/support.js';
import { importAll } from './same-rows.js';

const database = await ownDatabase();

/** Imports rates of the kwacha, each `DATE RATE`, one after the other. */
async function store(...rates: string[]) {
  for (const rate of rates) await importAll(database, [`RBM,${rate.replace(' ', ',USD,MWK,')}`]);
}

async function decide(date: string, status: Verdict) {
  const question = (await readSuspects(database, {}, 100)).find((one) => one.date === date);
  await applyDecision(database, { suspect: question?.id ?? '0', status, operator: 'a test', act: '0' });
}

const states = () =>
  readLines(database, `select date || ' ' || status from suspects where status <> 'corrected' order by date`);
const blended = () =>
  readLines(database, `select date::text from blended_days where quote = 'MWK' order by date`);

/** What follows from the rows is there already. */
async function expectNothingNew() {
  const before = [await states(), await blended()];
  await rebuild(database);
  expect([await states(), await blended()]).toEqual(before);
}

describe('a decision', () => {
  it('stays where later rates have confirmed the same', async () => {
    await store('2026-01-02 1000', '2026-02-02 1500', '2026-03-02 1510');
    await decide('2026-02-02', 'accepted');
    expect(await states()).toEqual(['2026-02-02 accepted']);
    expect(await blended()).toEqual(['2026-01-02', '2026-02-02', '2026-03-02']);
    await expectNothingNew();
    await store('2026-03-03 1511');
    expect(await states()).toEqual(['2026-02-02 accepted']);
  });

  it('is forgotten where it is taken back: later rates confirm the rate again', async () => {
    await store('2026-01-02 1000', '2026-02-02 1500', '2026-03-02 1510');
    const before = [await states(), await blended()];
    expect(before).toEqual([['2026-02-02 confirmed'], ['2026-01-02', '2026-02-02', '2026-03-02']]);
    for (const status of ['accepted', 'rejected'] as const) {
      await decide('2026-02-02', status);
      await decide('2026-02-02', 'held');
      expect([await states(), await blended()]).toEqual(before);
    }
    await expectNothingNew();
  });

  it('changes the verdicts of earlier days that later ones had confirmed', async () => {
    const days = [
      '2025-02-01',
      '2025-04-01',
      ...Array.from({ length: 8 }, (_, at) => `2025-04-${String(3 + 3 * at).padStart(2, '0')}`),
    ];
    await store('2025-01-01 1000', ...days.map((day, at) => `${day} ${10_000 + at}`));
    expect(await states()).toEqual(days.map((day) => `${day} confirmed`));
    await decide('2025-04-03', 'rejected');
    await expectNothingNew();
    await decide('2025-04-03', 'accepted');
    await expectNothingNew();
    expect(await states()).toContain('2025-04-03 accepted');
  });

  it('decides on every rate of a table whose own currency moved', async () => {
    const table = (day: string, by: number) =>
      [100, 120, 150].map((rate, at) => `SBI,${day},${['USD', 'EUR', 'GBP'][at]},ISK,${rate * by}`);
    await importAll(database, [
      ...table('2026-01-02', 1),
      ...table('2026-01-03', 1.4),
      ...table('2026-01-04', 1),
    ]);
    const [question, ...others] = await readSuspects(database, {}, 10);
    expect([question?.base, question?.rates, others]).toEqual(['USD', 3, []]);
    await decide('2026-01-03', 'accepted');
    expect(
      await readLines(database, "select distinct status from suspects where date = '2026-01-03'"),
    ).toEqual(['accepted']);
    const gbp = `select rate from blended_days where quote = 'GBP' and date = '2026-01-03'`;
    expect(Number((await readLines(database, gbp))[0])).toBeCloseTo(100 / 150, 9);
    await expectNothingNew();
    await decide('2026-01-03', 'rejected');
    expect(
      await readLines(database, "select distinct status from suspects where date = '2026-01-03'"),
    ).toEqual(['rejected']);
    await expectNothingNew();
  });
});

describe('as of an instant', () => {
  const newest = async () => {
    const [instant] = await readLines(
      database,
      'select (extract(epoch from max(created_at)) * 1000)::float8 from data_versions',
    );
    return Number(instant);
  };
  const leftOut = (knownAt: number) =>
    inOneView(database, async (view) => (await readLeftOut(view, { knownAt })).map(({ reason }) => reason));

  it('a rate is left out for the reason that was known then', async () => {
    await store('2026-03-02 1000', '2026-03-04 9300');
    const then = await newest();
    expect(await leftOut(then)).toEqual(['factor_of_ten']);
    await store('2026-03-03 1110');
    expect(await leftOut(await newest())).toEqual(['jump']);
    expect(await leftOut(then)).toEqual(['factor_of_ten']);
  });

  it('a rate that counted then was not decided on', async () => {
    await store('2026-03-08 1735', '2026-03-10 1735.5');
    const then = await newest();
    await store('2026-03-09 17.36');
    await decide('2026-03-09', 'rejected');
    const rates = [
      { provider: 'RBM', date: '2026-03-09', base: 'USD', quote: 'MWK', rate: 17.36 },
      { provider: 'RBM', date: '2026-03-10', base: 'USD', quote: 'MWK', rate: 1735.5 },
    ];
    expect(await inOneView(database, (view) => statesOf(view, rates, then))).toEqual([]);
    const now = await inOneView(database, (view) => statesOf(view, rates, undefined));
    expect(now.map(({ date, status }) => [date, status])).toEqual([['2026-03-09', 'rejected']]);
  });
});
