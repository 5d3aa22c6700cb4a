import { Readable } from 'node:stream';
import { beforeEach, describe, expect, it } from 'vitest';
import { readSuspects } from '../../../core/database/suspects.js';
import { applyDecision } from '../../../worker/blend/decisions.js';
import { rebuild } from '../../../worker/blend/reblend.js';
import type { RateRow } from '../../../worker/feeds/feed.js';
import { importRates } from '../../../worker/import/import.js';
import { dollars, ownDatabase, ratesOf, readLines, readRows, storeIn } from './support.js';

const database = await ownDatabase();

const store = (provider: string, ...rows: RateRow[]) => storeIn(database, provider, ...rows);
const read = (query: string) => readRows(database, query);
const [naira, pound] = [ratesOf('USD/NGN'), ratesOf('USD/EGP')];
const blended = async (quote = 'NGN'): Promise<Record<string, unknown>> =>
  Object.fromEntries(
    await read(`select date, rate from blended_days where quote = '${quote}' order by date`),
  );
const statuses = async () =>
  (await readSuspects(database, {}, 10)).map(({ date, rate, reason, status }) =>
    [date, rate, reason, status].join(' '),
  );
const versions = async () => (await read('select provider from data_versions order by version')).flat();

async function decide(status: 'accepted' | 'rejected') {
  const [suspect] = await readSuspects(database, {}, 1);
  await applyDecision(database, { suspect: suspect?.id ?? '', status, operator: 'test', act: '0' });
}

describe('a suspect rate', () => {
  beforeEach(() => store('CBN', naira('2023-06-12', 464.67), naira('2023-06-13', 464.8)));

  it('is stored and held back, and blended from its day on once the next one agrees', async () => {
    const stored = await store('CBN', naira('2023-06-14', 664.04));
    const suspect = { rate: 664.04, reason: 'jump', expected: 464.8, status: 'held' };
    expect(stored.suspects).toMatchObject([suspect]);
    expect(await statuses()).toEqual(['2023-06-14 664.04 jump held']);
    expect(await blended()).toEqual({ '2023-06-12': 464.67, '2023-06-13': 464.8 });
    await store('CBN', naira('2023-06-15', 671.1));
    expect(await statuses()).toEqual(['2023-06-14 664.04 jump confirmed']);
    expect(await blended()).toMatchObject({ '2023-06-14': 664.04, '2023-06-15': 671.1 });
    expect(await rebuild(database)).toBeUndefined();
  });

  it('is confirmed by another source', async () => {
    await store('CBN', naira('2023-06-14', 664.04));
    await store('IMF', naira('2023-06-16', 660));
    expect(await statuses()).toEqual(['2023-06-14 664.04 jump confirmed']);
    expect(await blended()).toMatchObject({ '2023-06-14': 664.04, '2023-06-16': (664.04 + 660) / 2 });
  });

  it('makes a data version of its provider too where another one changes the reason that is shown', async () => {
    await store('CBN', naira('2023-06-14', 4648));
    await database.pool.query("update suspects set reason = 'jump'");
    const { suspects } = await store('IMF', pound('2023-06-14', 30.9));
    expect(suspects).toMatchObject([{ rate: 4648, reason: 'factor_of_ten', status: 'held' }]);
    expect((await versions()).at(-1)).toBeNull();
    expect((await store('IMF', pound('2023-06-15', 30.9))).suspects).toEqual([]);
  });

  it('is judged anew when its provider restates it', async () => {
    await store('CBN', naira('2023-06-14', 4648));
    await store('CBN', naira('2023-06-14', 465.1));
    expect(await statuses()).toEqual(['2023-06-14 4648 factor_of_ten corrected']);
    expect(await blended()).toMatchObject({ '2023-06-14': 465.1 });
  });

  it('is blended once an operator accepts it, and stays out for ever once rejected', async () => {
    await store('CBN', naira('2023-06-14', 664.04));
    const before = await blended();
    await decide('rejected');
    expect(await blended()).toEqual(before);
    // A decision makes a data version, also where no blend changes.
    expect(await versions()).toHaveLength(3);
    await decide('accepted');
    expect(await blended()).toMatchObject({ '2023-06-14': 664.04 });
    await decide('rejected');
    expect(await blended()).toEqual(before);
    await store('CBN', naira('2023-06-15', 671.1), naira('2023-06-16', 670));
    await rebuild(database);
    expect(Object.keys(await blended())).toEqual(['2023-06-12', '2023-06-13', '2023-06-15', '2023-06-16']);
  });

  it('is found in history as well, by an import and by blending all of it again', async () => {
    const held = ['2023-06-21 4.65 factor_of_ten held'];
    const lines = ['2023-06-20,USD,NGN,465', '2023-06-21,USD,NGN,4.65', '2023-06-22,USD,NGN,466'];
    const csv = ['provider,date,base,quote,rate', ...lines.map((line) => `CBN,${line}`), ''].join('\n');
    expect((await importRates(database, Readable.from([csv]), { today: '2023-07-01' })).rowsHeldBack).toBe(1);
    expect(await statuses()).toEqual(held);
    await database.pool.query('truncate suspects');
    expect(await rebuild(database)).toBeDefined();
    expect(await statuses()).toEqual(held);
    expect(await blended()).not.toHaveProperty('2023-06-21');
  });
});

describe('what is held back', () => {
  it('is taken in by two banks one after the other, and stays so when a third stores something else', async () => {
    for (const provider of ['CBE', 'CBG']) await store(provider, pound('2024-03-05', 30.8));
    await store('CBE', pound('2024-03-06', 43.12));
    expect((await blended('EGP'))['2024-03-06']).toBeUndefined();
    await store('CBG', pound('2024-03-07', 43.2));
    expect((await blended('EGP'))['2024-03-07']).toBeCloseTo(43.16, 9);
    await store('ECB', dollars('2024-03-07', 1.09));
    expect((await blended('EGP'))['2024-03-07']).toBeCloseTo(43.16, 9);
    expect(await rebuild(database)).toBeUndefined();
  });

  it('is held back again where it is stored again after its correction, and left out once it is rejected', async () => {
    const [wrong, right] = [naira('2023-06-14', 4648), naira('2023-06-14', 465.1)];
    await store('CBN', naira('2023-06-13', 464.8), wrong);
    await store('CBN', right);
    expect(await statuses()).toEqual(['2023-06-14 4648 factor_of_ten corrected']);
    await store('CBN', wrong);
    expect(await statuses()).toEqual(['2023-06-14 4648 factor_of_ten held']);
    await decide('rejected');
    for (const row of [naira('2023-06-15', 465.3), right, wrong]) await store('CBN', row);
    expect(await statuses()).toEqual(['2023-06-14 4648 factor_of_ten rejected']);
    expect(await blended()).toEqual({ '2023-06-13': 464.8, '2023-06-15': 465.3 });
    expect(await rebuild(database)).toBeUndefined();
  });

  it('is not listed where others of its own day confirm it, whenever they come', async () => {
    for (const provider of ['CBE', 'CBG']) await store(provider, pound('2024-03-05', 30.8));
    await store('CBE', pound('2024-03-06', 43.12));
    expect(await statuses()).toEqual(['2024-03-06 43.12 jump held']);
    await store('CBG', pound('2024-03-06', 43.2));
    expect(await statuses()).toEqual([]);
    const all = 'select rate, status, confirmed_on, confirmed_by from suspects order by 1';
    const confirmed = ['43.12 confirmed 2024-03-06 peers', '43.2 confirmed 2024-03-06 peers'];
    expect(await readLines(database, all)).toEqual(confirmed);
  });
});
