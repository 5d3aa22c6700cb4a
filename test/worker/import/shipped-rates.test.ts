import { createHash } from 'node:crypto';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { readLoadedFrom } from '../../../core/database/shipped-rates.js';
import type { RawRow } from '../../../core/domain/blend/carry-forward.js';
import { addDays } from '../../../core/domain/dates.js';
import { providerOf } from '../../../core/domain/providers.js';
import { roundForStorage } from '../../../core/domain/rounding.js';
import { projectFolder, shippedRatesFolder } from '../../../core/process/project-files.js';
import { lastRichDay } from '../../../tools/bootstrap/bootstrap-rows.js';
import { shippedTable, writeShippedTables } from '../../../tools/bootstrap/shipped-table.js';
import { seededRandom } from '../../../tools/random.js';
import { loadShippedRates, readShippedTables } from '../../../worker/import/shipped-rates.js';
import { newFolder, ownDatabase, rowsOf } from '../../core/support.js';
import { testDatabase } from '../../support/postgres.js';
import { loadAll, shippedIn, shippedRates } from '../../support/shipped-rates.js';
import { derived, importAll } from '../blend/same-rows.js';
import { dollars, emptyTables, feedOf, ingestFrom } from '../ingest/support.js';

const database = await ownDatabase();
beforeEach(() => emptyTables(database));
const read = (query: string) => rowsOf(database, query);

/** Two sources over twelve years, with errors and a gap, of which one ended long before the other. */
function someYears(seed: number): RawRow[] {
  const random = seededRandom(String(seed));
  const rows: RawRow[] = [];
  let [level, date] = [1.1, '2014-02-03'];
  for (; date < '2026-03-06'; date = addDays(date, random() < 0.1 ? 40 : 3)) {
    level *= 0.97 + random() * 0.06;
    const rate = (times: number) => Number((level * times).toPrecision(6));
    const wrong = random() < 0.03 ? 10 : 1;
    rows.push({ provider: 'ECB', date, base: 'EUR', quote: 'USD', rate: rate(1) });
    rows.push({ provider: 'ECB', date, base: 'EUR', quote: 'TRY', rate: rate(9 * wrong) });
    if (date < '2019-06-01') rows.push({ provider: 'BOC', date, base: 'USD', quote: 'TRY', rate: rate(8) });
  }
  return rows;
}

async function folderOf(rows: readonly RawRow[]): Promise<string> {
  const folder = await newFolder();
  await writeShippedTables(folder, rows);
  return folder;
}

const lineOf = ({ provider, date, base, quote, rate }: RawRow) => [provider, date, base, quote, rate].join();

describe('loading', () => {
  it.each([1])('is newest first, in parts that make what one import makes (history %i)', async (seed) => {
    const rows = someYears(seed);
    const [folder, whole] = [await folderOf(rows), await testDatabase()];
    try {
      const loadedFrom: unknown[] = [];
      for await (const { from, isLast } of loadShippedRates(database, shippedIn(folder))) {
        expect(await readLoadedFrom(database)).toBe(isLast ? undefined : from);
        expect(await read(`select min(date) >= '${from}' from rates`)).toEqual([[true]]);
        loadedFrom.push(from);
      }
      expect(loadedFrom.slice(1)).toEqual(['2020-01-01', '2010-01-01']);
      await importAll(whole, rows.map(lineOf));
      expect(await derived(database)).toEqual(await derived(whole));
    } finally {
      await whole.close();
    }
  });

  it('covers all days from the first part on', async () => {
    for await (const _ of loadShippedRates(database, shippedIn(await folderOf(someYears(4))))) break;
    const first = '2014-02-03';
    expect(await read('select provider, quote, start_date::text from pair_coverage order by 1, 2')).toEqual([
      ['BOC', 'TRY', first],
      ['ECB', 'TRY', first],
      ['ECB', 'USD', first],
    ]);
  });

  it('continues where another process stopped, also if it would begin nothing', async () => {
    const folder = await folderOf(someYears(5));
    for await (const _ of loadShippedRates(database, shippedIn(folder))) break;
    const rest = await loadAll(database, { ...shippedIn(folder), begins: false });
    expect(rest.map(({ from }) => from)).toEqual(['2020-01-01', '2010-01-01']);
    expect(await read('select count(*)::int from rates')).toEqual([[someYears(5).length]]);
  });

  it('loads each part once, if several processes try at the same time', async () => {
    const folder = await folderOf(someYears(6));
    const loads = await Promise.all([1, 2, 3].map(() => loadAll(database, shippedIn(folder))));
    expect(loads.flat()).toHaveLength(3);
    expect(await read('select sum(rows_new)::int from ingest_runs')).toEqual([[someYears(6).length]]);
  });

  it('leaves a database with rates alone, and an empty one where it may not begin', async () => {
    const folder = await folderOf(someYears(7));
    expect(await loadAll(database, { ...shippedIn(folder), begins: false })).toEqual([]);
    await importAll(database, ['NB,2026-03-02,USD,NOK,9.5']);
    expect(await loadAll(database, shippedIn(folder))).toEqual([]);
    expect(await read('select provider from rates')).toEqual([['NB']]);
  });

  it('fails where a table is broken, and stores nothing', async () => {
    const folder = await folderOf(someYears(8));
    await writeFile(join(folder, 'NB.csv.gz'), 'not gzip');
    await expect(loadAll(database, shippedIn(folder))).rejects.toThrow('incorrect header check');
    expect(await read('select from rates')).toEqual([]);
  });
});

describe('what is shipped', () => {
  it('is recorded by runs of its own, whose evidence is the file', async () => {
    const folder = await folderOf(someYears(9));
    await loadAll(database, shippedIn(folder));
    const file = gunzipSync(await readFile(join(folder, 'BOC.csv.gz')));
    const sha256 = createHash('sha256').update(file).digest('hex');
    const runs = await read(
      `select provider, reason, outcome::text, url, encode(sha256, 'hex'), bytes, rows_new,
         (select count(*)::int from rates where run = ingest_runs.id)
       from ingest_runs join run_responses on run = id where provider = 'BOC'`,
    );
    const rows = someYears(9).filter(({ provider }) => provider === 'BOC').length;
    expect(runs).toEqual([
      ['BOC', 'shipped', 'succeeded', 'shipped:BOC.csv.gz', sha256, file.length, rows, rows],
    ]);
    const states = 'select distinct last_success_at, backfilled_to, runs_succeeded::int from providers';
    expect(await read(states)).toEqual([[null, null, 0]]);
  });

  it('never replaces what a bank said, which corrects it', async () => {
    const rows = someYears(10);
    const [old = '', recent = ''] = [rows[0]?.date, rows.at(-1)?.date];
    const parts = loadShippedRates(database, shippedIn(await folderOf(rows)));
    await parts.next();
    const feed = feedOf('ECB', [dollars(old, 1.23456), dollars(recent, 1.34567)]);
    await ingestFrom(database, feed, { window: { from: old } });
    for await (const _ of parts); // Loads the rest.
    const said = `select rate from rates where provider = 'ECB' and quote = 'USD' and date in ('${old}', '${recent}')`;
    expect(await read(`${said} order by date`)).toEqual([[1.23456], [1.34567]]);
    expect(await read('select date::text, cause from rate_revisions')).toEqual([[recent, null]]);
  });
});

it('a table does not depend on the order of its rows', () => {
  const rows = someYears(11).filter(({ provider }) => provider === 'ECB');
  expect(shippedTable(rows.toReversed())).toBe(shippedTable(rows));
});

describe('the tables that ship', async () => {
  const [tables, rows] = [await readShippedTables(shippedRatesFolder), await shippedRates()];

  it('are of known sources, take less than 4 MB, and end on one day', () => {
    for (const { provider, lines } of tables) {
      expect(providerOf(provider), provider).toBeDefined();
      const days = lines.map((line) => line.slice(0, 10));
      expect(days).toEqual([...new Set(days)].sort());
    }
    const sizes = readdirSync(shippedRatesFolder).map(
      (name) => statSync(join(shippedRatesFolder, name)).size,
    );
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(4_000_000);
    expect(rows.map(({ date }) => date).reduce((one, other) => (one > other ? one : other))).toBe(
      lastRichDay(rows),
    );
    expect(rows.filter(({ rate }) => rate !== roundForStorage(rate))).toEqual([]);
  });

  const recordings = join(projectFolder, '..', 'shared', 'history');
  it.skipIf(!existsSync(recordings)).each([
    ['ECB', 217_642],
    ['FRED', 266_322],
    ['SBI', 282_056],
  ])('have the whole history of %s', async (key, count) => {
    const csv = String(gunzipSync(await readFile(join(recordings, `${key.toLowerCase()}.csv.gz`))));
    const published = csv
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line) => line.replace(/[^,]+$/, (rate) => String(Number(rate))));
    const shipped = rows.filter(({ provider }) => provider === key);
    const lines = shipped.map(({ date, base, quote, rate }) => [date, base, quote, rate].join());
    expect(lines).toHaveLength(count);
    expect(lines.sort()).toEqual(published.sort());
  });
});
