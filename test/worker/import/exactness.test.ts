import fc from 'fast-check';
import { afterAll, describe, expect, it, test } from 'vitest';
import { digestBlends } from '../../../core/database/rates.js';
import { fromDayNumber } from '../../../core/domain/dates.js';
import { roundForStorage } from '../../../core/domain/rounding.js';
import { synthRates } from '../../../tools/synth/synthetic-rates.js';
import { rebuild } from '../../../worker/blend/reblend.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';
import { readRows } from '../ingest/support.js';
import { EXPORT_HEADER, exported, HEADER, importLines } from './support.js';

const today = '2026-03-10';
const openedDatabase = async () => {
  const database = await testDatabase();
  afterAll(() => database.close());
  return database;
};

// A store that grew in steps, with corrections, and one that was filled from its export in another order. Rows lie
// elsewhere on the disk, and nothing that is stored or served may differ in a single bit.
describe('an export that is imported into an empty store gives', async () => {
  const [grown, filled] = [await openedDatabase(), await openedDatabase()];
  const load = (database: TestDatabase, lines: readonly string[]) =>
    importLines(database, [HEADER, ...lines], today);
  const some = new Set('BNR BOC BOE CBR CNB ECB FRED HNB IMF NB NBP NBU RBA RBM UST'.split(' '));
  const all = [...synthRates({ years: 0.09, seed: 3, until: today })];
  const rows = all.filter(({ provider }) => some.has(provider));
  const lines = rows.map((row) => Object.values(row).join());
  const half = Math.floor(lines.length / 2);
  await load(grown, lines.slice(half));
  await load(grown, lines.slice(0, half));
  // Corrections are written elsewhere than the rows that they replace.
  const right = ({ rate }: { rate: number }) => Number((rate * 1.001).toPrecision(9));
  const corrected = rows.map((row) => Object.values({ ...row, rate: right(row) }).join());
  await load(
    grown,
    corrected.filter((_, index) => index % 37 === 0),
  );
  const exportedLines = (await exported(grown)).slice(1);
  // In an order that has nothing to do with that of the lines, the same each time.
  const mixed = exportedLines.map((line, index) => [Math.imul(index + 1, 0x9e3779b1) >>> 0, line] as const);
  mixed.sort(([one], [other]) => one - other);
  await importLines(filled, [EXPORT_HEADER, ...mixed.map(([, line]) => line)], today);

  it('the same rates, blends and coverage, to the last bit', async () => {
    expect(await exported(filled)).toEqual(await exported(grown));
    const { periods } = await digestBlends(grown);
    expect((await digestBlends(filled)).periods).toEqual(periods);
    for (const { rows } of periods) expect(rows).toBeGreaterThan(100);
    for (const table of ['currencies', 'pair_coverage']) {
      const query = `select * from ${table} order by 1, 2, 3`;
      expect(await readRows(filled, query)).toEqual(await readRows(grown, query));
    }
    expect(await rebuild(grown)).toBeUndefined();
    expect(await rebuild(filled)).toBeUndefined();
  });

  test('digests that differ by the last bit and by a missing day, and not by the order of rows', async () => {
    const { pool } = filled;
    const before = await digestBlends(filled);
    await pool.query(`update blended_days set rate = rate * (1 + 2.3e-16)
      where (date, quote) = (select date, quote from blended_days where quote <> 'USD' order by random() limit 1)`);
    const changed = await digestBlends(filled);
    expect(changed.version).toBe(before.version);
    expect(changed.periods.map(({ rows }) => rows)).toEqual(before.periods.map(({ rows }) => rows));
    expect(changed.periods[0]?.sha256).not.toBe(before.periods[0]?.sha256);
    // As after a restore: the same rows, written in another order.
    await pool.query(`create table kept as select * from blended_days; truncate blended_days;
      insert into blended_days select * from kept order by random()`);
    expect(await digestBlends(filled)).toEqual(changed);
    await pool.query('delete from blended_days where date = (select min(date) from blended_days)');
    expect((await digestBlends(filled)).periods[0]?.rows).toBeLessThan(before.periods[0]?.rows ?? 0);
  });
});

test('every rate is exported in plain digits, and is the same double again where that is imported', async () => {
  const [one, other] = [await openedDatabase(), await openedDatabase()];
  const rate = fc
    .tuple(fc.double({ min: 1, max: 9.999, noNaN: true }), fc.integer({ min: -20, max: 19 }))
    .map(([digits, power]) => roundForStorage(digits * 10 ** power));
  const rates = [1e-20, 1e20, 1e-4, 0.9e-4, 1e15, 2.4215e-7, ...fc.sample(rate, 300)];
  const dateOf = (index: number) => fromDayNumber(20_000 + index);
  // A pair that is not blended, as many of these rates would be held back.
  const rows = rates.map((rate, index) => `ECB,${dateOf(index)},CHF,GBP,${rate},${rate},${rate}`);
  await importLines(one, [EXPORT_HEADER, ...rows]);
  const lines = await exported(one);
  const figures = lines.slice(1).map((line) => line.split(',').slice(4));
  for (const figure of figures.flat()) expect(figure).toMatch(/^\d+(\.\d+)?$/);
  expect(figures.map((row) => row.map(Number))).toEqual(rates.map((rate) => [rate, rate, rate]));
  await importLines(other, lines);
  expect(await exported(other)).toEqual(lines);
});
