import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RawRow } from '../../../core/domain/blend/carry-forward.js';
import { seededRandom } from '../../../tools/feeds-damage/random.js';
import { judgeUntouched, measure, wasHeld } from '../../../tools/suspects-measure/measure.js';
import { differencesWhenStored } from '../../../tools/suspects-measure/stored.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';
import { publish } from '../../support/rates.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const WRONG = '2026-02-03';
/** Some weeks of four sources, with a figure of a source that is wrong, and a devaluation that one source tells. */
const rows: RawRow[] = ['BOC', 'ECB', 'IMF', 'RBM']
  .flatMap((provider, index) =>
    publish(provider, ['USD/MWK', 'USD/CAD', 'USD/JPY', 'USD/GBP'].slice(index), '2026-01-05', '2026-03-06'),
  )
  .map((row) => (row.quote === 'CAD' && row.provider + row.date === `BOC${WRONG}` ? scaled(row, 10) : row))
  .map((row) => (row.quote === 'MWK' && row.date >= WRONG ? scaled(row, 1.4) : row))
  .sort((one, other) => (one.date < other.date ? -1 : Number(one.date > other.date)));

function scaled(row: RawRow, factor: number): RawRow {
  return { ...row, rate: row.rate * factor };
}

it('the rows as they are have two suspects of one day, and what followed the one that was confirmed', () => {
  const { suspects } = judgeUntouched(rows);
  const late = suspects.filter((suspect) => wasHeld(suspect));
  expect(late.map(({ series: { quote }, confirmedBy }) => [quote, confirmedBy])).toEqual([
    ['CAD', undefined],
    ['MWK', 'next'],
  ]);
});

it('errors are caught in memory, and in a database in which each day is stored by itself', async () => {
  const { targets } = judgeUntouched(rows);
  const { cells, errors } = measure(rows, targets, { draws: 2, random: seededRandom('1') });
  const drawn = cells.filter(({ draws }) => draws > 0);
  expect(new Set(drawn.map(({ sources }) => sources))).toEqual(new Set([1, 2, 4]));
  for (const { fault, draws, caught } of drawn)
    if (fault.bar) expect([fault.name, caught]).toEqual([fault.name, draws]);
  expect(drawn.find(({ fault }) => fault.name === 'buying for selling')?.caught).toBe(0);
  const sample = errors.filter((_, index) => index % 6 === 0);
  expect(await differencesWhenStored(database, rows, sample)).toEqual([]);
  const [first] = sample;
  const wrongly = first ? [{ ...first, heldBack: new Set(['BOC USD JPY']) }] : [];
  expect(await differencesWhenStored(database, rows, wrongly)).toHaveLength(1);
}, 60_000);
