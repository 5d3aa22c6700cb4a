import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { blendedCondition } from '../../../core/database/bulk/blended-rows.js';
import type { RawRow } from '../../../core/domain/blend/carry-forward.js';
import { exclusionsOf, withoutExclusions } from '../../../core/domain/blend/exclusions.js';
import { addDays } from '../../../core/domain/dates.js';
import { providers } from '../../../core/domain/providers.js';
import { writeShippedTables } from '../../../tools/bootstrap/shipped-table.js';
import { loadShippedRates, readShippedRates } from '../../../worker/import/shipped-rates.js';
import { newFolder, ownDatabase, rowsOf } from '../../core/support.js';
import { testDatabase } from '../../support/postgres.js';
import { propertyRuns } from '../../support/property-runs.js';
import { emptyTables } from '../ingest/support.js';
import { derived, history, importAll, importInto } from './same-rows.js';

const database = await ownDatabase();
beforeEach(() => emptyTables(database));

const lineOf = ({ provider, date, base, quote, rate }: RawRow) => [provider, date, base, quote, rate].join();

/** Both sources are suspected on the first day, and the second day confirms one of them. */
const CONFIRMED_LATE = ['2022-01-04', '2022-01-05'].flatMap((date, index) => [
  { provider: 'BOC', date, base: 'USD', quote: 'EGP', rate: index === 0 ? 300 : 29.4 },
  { provider: 'ECB', date, base: 'EUR', quote: 'USD', rate: 1.078 },
  { provider: 'ECB', date, base: 'EUR', quote: 'EGP', rate: 32.34 },
]);

describe('rates that are judged and blended before they are stored', () => {
  it('have the same blends and suspects as those of an import', async () => {
    const other = await testDatabase();
    const compare = async (rows: readonly RawRow[]) => {
      await emptyTables(database);
      await emptyTables(other);
      const folder = await newFolder();
      await writeShippedTables(folder, rows);
      const shipped = await readShippedRates(folder);
      if (!shipped) throw new Error('no rates');
      const newest = { rows, from: shipped.span.from, before: addDays(shipped.span.to, 1) };
      for await (const { isLast } of loadShippedRates(database, {
        shipped: async () => ({ ...shipped, newest }),
      }))
        expect(isLast).toBe(true);
      await importInto(other, rows);
      expect(await derived(database)).toEqual(await derived(other));
    };
    try {
      const some = history.filter((rows) => rows.length > 0);
      await fc.assert(fc.asyncProperty(some, compare), { ...propertyRuns(12), examples: [[CONFIRMED_LATE]] });
    } finally {
      await other.close();
    }
  }, 600_000);

  it('are those that the database blends', async () => {
    const rows: RawRow[] = [];
    const excluding = providers.filter((one) => one.blend === false || exclusionsOf(one).length > 0);
    expect(excluding.length).toBeGreaterThan(5);
    for (const { key, ...provider } of [...excluding, ...providers.slice(0, 3)]) {
      const exclusions = exclusionsOf({ key, ...provider });
      const codes = exclusions.flatMap(({ currencies = [], otherThan = [] }) => [
        ...currencies,
        ...otherThan,
      ]);
      const days = exclusions.flatMap(({ from, before }) => [from, before]).filter((day) => day && day < '9');
      for (const day of ['2020-05-05', ...days.map(String)])
        for (const date of [addDays(day, -1), day])
          for (const quote of new Set(['CHF', 'JPY', ...codes]))
            if (quote !== 'USD')
              for (const [base, rate] of [
                ['USD', 1.25],
                [quote === 'GBP' ? 'NOK' : 'GBP', 0.02],
              ] as const)
                rows.push({ provider: key, date, base, quote, rate });
    }
    const unique = new Map(rows.map((row) => [lineOf(row), row]));
    await importAll(database, [...unique.keys()]);
    const stored = await rowsOf(
      database,
      `select provider, date::text, base, quote, rate from rates where ${blendedCondition().text}`,
    );
    const expected = withoutExclusions([...unique.values()]).map(lineOf);
    expect(expected.length).toBeLessThan(unique.size);
    expect(stored.map((row) => row.join()).sort()).toEqual(expected.sort());
  });
});
