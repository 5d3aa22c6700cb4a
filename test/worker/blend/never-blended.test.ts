import fc from 'fast-check';
import { expect, it } from 'vitest';
import { blendedCondition } from '../../../core/database/bulk/blended-rows.js';
import { isCoarse } from '../../../core/domain/blend/exclusions.js';
import { ownDatabase, readLines } from '../ingest/support.js';
import { importAll } from './same-rows.js';

const database = await ownDatabase();

it.each([
  ['CBG', 0.008, true],
  ['CBG', 0.05, true],
  ['CBG', 0.0000028, true],
  ['CBG', 0.24, true],
  ['CBG', 0.00015, true],
  ['CBG', 0.051, true],
  ['CBG', 0.0511, false],
  ['CBG', 0.243, false],
  ['CBG', 0.00000281, false],
  ['CBG', 0.5, false],
  ['CBG', 0.9, false],
  ['CBG', 24, false],
  ['CBG', 1e21, false],
  // The ECB prints four decimals: 0.4300 of 2005-04-20 is stored as 0.43.
  ['ECB', 0.43, false],
  ['ECB', 0.01, false],
  ['ECB', 0.0099, true],
])('of %s %d is coarse: %s', (provider, rate, expected) =>
  expect(isCoarse({ provider, rate })).toBe(expected),
);

it('the database leaves out the same figures as coarse', async () => {
  const digits = fc.tuple(fc.integer({ min: 1, max: 9999 }), fc.integer({ min: -20, max: 3 }));
  const rate = fc.oneof(
    digits.map(([digits, power]) => Number(`${digits}e${power}`)),
    fc.double({ min: 1e-20, max: 1, noNaN: true }),
  );
  const provider = fc.constantFrom('CBG', 'ECB');
  await fc.assert(
    fc.asyncProperty(fc.array(rate, { minLength: 1, maxLength: 300 }), provider, async (rates, provider) => {
      const { rows } = await database.pool.query(
        `select ${blendedCondition().text} as blended
         from (select $2 as provider, date '2026-03-02' as date, 'EUR' as base, 'USD' as quote, rate
               from unnest($1::float8[]) with ordinality as given (rate, number)) as rates`,
        [rates, provider],
      );
      const coarse = rates.map((rate) => isCoarse({ provider, rate }));
      expect(rows.map(({ blended }) => !blended)).toEqual(coarse);
    }),
    { numRuns: 20 },
  );
});

const sources = (quote: string) =>
  readLines(database, `select rate from blended_days where quote = '${quote}' and date = '2026-03-04'`);

it('a coarse figure is stored, and blended of no provider', async () => {
  await importAll(database, [
    'CBG,2026-03-04,GNF,GMD,0.008',
    'CBG,2026-03-04,NGN,GMD,0.05',
    'CBG,2026-03-04,USD,GMD,73.15',
    'NBP,2026-03-04,USD,PLN,3.7125',
    'NBP,2026-03-04,GNF,PLN,0.000424',
  ]);
  expect(await sources('GNF')).toEqual([String(3.7125 / 0.000424)]);
  expect(await sources('NGN')).toEqual([]);
  expect(await readLines(database, `select rate from rates where quote = 'GMD' order by 1`)).toEqual([
    '0.008',
    '0.05',
    '73.15',
  ]);
});

it('a provider that gives no official rate of a currency is left out for it', async () => {
  await importAll(database, [
    'NBP,2026-03-04,USD,PLN,3.7125',
    'NBP,2026-03-04,CUP,PLN,3.7125',
    'NBP,2026-03-04,HTG,PLN,0.02834',
  ]);
  expect(await sources('CUP')).toEqual([]);
  await importAll(database, ['UST,2026-03-04,USD,CUP,24']);
  await importAll(database, ['BNA,2026-03-04,USD,CUP,24', 'BNA,2026-03-04,USD,AOA,912.3']);
  expect(await sources('CUP')).toEqual(['24']);
});
