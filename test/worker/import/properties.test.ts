import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { exportRates } from '../../../core/database/bulk/export-rates.js';
import { inTransaction } from '../../../core/database/transactions.js';
import type { RawRow } from '../../../core/domain/blend/carry-forward.js';
import { rebuild } from '../../../worker/blend/reblend.js';
import { importRates } from '../../../worker/import/import.js';
import { storeAndBlend } from '../../../worker/ingest/store.js';
import { rawRows as anyRows } from '../../core/domain/blend/arbitrary-rows.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';
import { propertyRuns } from '../../support/property-runs.js';

const TODAY = '2026-03-23';
let databases: TestDatabase[];
beforeEach(async () => {
  databases = [await testDatabase(), await testDatabase()];
});
afterEach(() => Promise.all(databases.map((database) => database.close())));

/** Providers by the keys that their table has. */
const KEYS: Readonly<Record<string, string>> = { A: 'BOC', B: 'ECB', C: 'FRED', D: 'IMF', E: 'NB', F: 'RBA' };
const rawRows = anyRows.map((rows) => rows.map((row) => ({ ...row, provider: KEYS[row.provider] ?? '' })));

async function clear(): Promise<void> {
  for (const { pool } of databases) {
    await pool.query(
      `truncate rates, rate_revisions, currencies, pair_coverage, providers, ingest_runs,
         blended_days, blended_weeks, blended_months, data_versions, suspects, suspect_states`,
    );
  }
}

const csvOf = (rows: readonly RawRow[]) =>
  ['provider,date,base,quote,rate', ...rows.map((row) => Object.values(row).join()), ''].join('\n');

function importInto(database: TestDatabase, csv: string) {
  async function* file() {
    yield csv;
  }
  return importRates(database, file(), { today: TODAY });
}

async function exported(database: TestDatabase): Promise<string> {
  const out = new PassThrough();
  const [written] = await Promise.all([text(out), exportRates(database, out)]);
  return written;
}

async function stored({ pool }: TestDatabase) {
  const read = async (table: string) =>
    (await pool.query({ text: `select * from ${table} order by 1, 2, 3`, rowMode: 'array' })).rows;
  return {
    days: await read('blended_days'),
    weeks: await read('blended_weeks'),
    months: await read('blended_months'),
    coverage: await read('pair_coverage'),
    currencies: await read('currencies'),
  };
}

it('what is exported is what was imported, and importing it again changes nothing', async () => {
  const [one, other] = databases as [TestDatabase, TestDatabase];
  await fc.assert(
    fc
      .asyncProperty(rawRows, async (rows) => {
        await importInto(one, csvOf(rows));
        const first = await exported(one);
        const lines = (csv: string) => csv.trimEnd().split('\n').slice(1).sort();
        expect(lines(first)).toEqual(lines(csvOf(rows)));
        await importInto(other, first);
        expect(await exported(other)).toBe(first);
        expect(await stored(other)).toEqual(await stored(one));
        expect(await importInto(one, first)).toMatchObject({
          rowsNew: 0,
          rowsCorrected: 0,
          version: undefined,
        });
      })
      .beforeEach(clear),
    propertyRuns(10),
  );
}, 120_000);

it('blending step by step, in any order and with corrections, is blending all at once', async () => {
  const [stepwise, whole] = databases as [TestDatabase, TestDatabase];
  const steps = fc.tuple(rawRows, fc.infiniteStream(fc.boolean()));
  await fc.assert(
    fc
      .asyncProperty(steps, async ([rows, isCorrected]) => {
        for (const row of rows) {
          const wrong = { ...row, rate: row.rate * 1.5 };
          const versions = isCorrected.next().value === true ? [wrong, row] : [row];
          for (const version of versions) {
            await inTransaction(stepwise, (transaction) =>
              storeAndBlend(transaction, row.provider, [version]),
            );
          }
        }
        await importInto(whole, csvOf(rows));
        expect(await stored(stepwise)).toEqual(await stored(whole));
        expect(await rebuild(stepwise)).toBeUndefined();
      })
      .beforeEach(clear),
    propertyRuns(5),
  );
}, 180_000);
