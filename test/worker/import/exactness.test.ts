import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { exportRates } from '../../../core/database/bulk/export-rates.js';
import { digestBlends } from '../../../core/database/digest.js';
import { synthRates } from '../../../tools/synth/synthetic-rates.js';
import { rebuild } from '../../../worker/blend/reblend.js';
import { importRates } from '../../../worker/import/import.js';
import { startApi, type TestApi } from '../../support/api.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

// A store that grew in steps, with corrections, and one that was filled from its export in another order. Rows lie
// elsewhere on the disk, and nothing that is stored or served may differ in a single bit.

const HEADER = 'provider,date,base,quote,rate';
const today = '2026-03-10';

const load = (database: TestDatabase, lines: readonly string[]) =>
  importRates(database, Readable.from([[HEADER, ...lines, ''].join('\n')]), { today });

async function exported(database: TestDatabase): Promise<string> {
  const output = new PassThrough();
  const [csv] = await Promise.all([text(output), exportRates(database, output)]);
  return csv;
}

/** The lines in an order that has nothing to do with theirs, the same each time. */
function shuffled(lines: readonly string[]): string[] {
  const mixed = (index: number) => Math.imul(index + 1, 0x9e3779b1) >>> 0;
  return lines
    .map((line, index) => ({ line, at: mixed(index) }))
    .sort((one, other) => one.at - other.at)
    .map(({ line }) => line);
}

let grown: TestDatabase;
let filled: TestDatabase;

beforeAll(async () => {
  [grown, filled] = await Promise.all([testDatabase(), testDatabase()]);
  const rows = [...synthRates({ years: 0.09, seed: 3, until: today })];
  const lines = rows.map((row) => Object.values(row).join());
  const half = Math.floor(lines.length / 2);
  await load(grown, lines.slice(half));
  await load(grown, lines.slice(0, half));
  // Corrections are written elsewhere than the rows that they replace.
  const corrected = rows
    .filter((_, index) => index % 37 === 0)
    .map(({ rate, ...key }) => [...Object.values(key), Number((rate * 1.001).toPrecision(9))].join());
  await load(grown, corrected);
  const csv = await exported(grown);
  await load(filled, shuffled(csv.trim().split('\n').slice(1)));
}, 120_000);

afterAll(() => Promise.all([grown.close(), filled.close()]));

describe('an export that is imported into an empty store gives', () => {
  test('the same rates and the same blends, to the last bit', async () => {
    expect(await exported(filled)).toBe(await exported(grown));
    const { tables } = await digestBlends(grown);
    expect((await digestBlends(filled)).tables).toEqual(tables);
    expect(tables.map(({ period, rows }) => [period, rows > 100])).toEqual([
      ['day', true],
      ['week', true],
      ['month', true],
    ]);
  });

  test('blends that are those of a rebuild of all history', async () => {
    expect(await rebuild(grown)).toBeUndefined();
    expect(await rebuild(filled)).toBeUndefined();
  });

  test('the same coverage', async () => {
    for (const table of ['currencies', 'pair_coverage']) {
      const read = async ({ pool }: TestDatabase) =>
        (await pool.query(`select * from ${table} order by 1, 2, 3`)).rows;
      expect(await read(filled)).toEqual(await read(grown));
    }
  });

  test('the same responses, byte for byte', { timeout: 120_000 }, async () => {
    const clock = () => new Date(`${today}T12:00:00Z`);
    const apis: TestApi[] = [];
    try {
      for (const database of [grown, filled]) apis.push(await startApi(database, { clock }));
      const from = 'from=2026-02-11&to=2026-03-09';
      const subset = 'providers=ECB,BOC,NBP,CNB,BNR,HNB';
      for (const query of [
        '',
        `${from}&base=CAD`,
        `${from}&group=week&base=JPY`,
        `${from}&group=month`,
        'expand=providers',
        `${from}&expand=providers&base=GBP`,
        `${from}&expand=providers&group=week`,
        `${from}&expand=providers&group=month&base=USD`,
        `${from}&${subset}`,
        `${from}&${subset}&group=week&base=CHF`,
        `${from}&${subset}&group=month&expand=providers`,
        `${from}&providers=NBU&group=week`,
        `${from}&providers=NBU&base=EUR&group=month&expand=providers`,
      ]) {
        const [one, other] = await Promise.all(apis.map(({ url }) => readBody(`${url}/v2/rates?${query}`)));
        expect(one?.length, query).toBeGreaterThan(100);
        expect(other, query).toBe(one);
      }
    } finally {
      for (const api of apis) await api.close();
    }
  });
});

test('a digest tells of a change in the last bit, of a missing row, and of the data version', async () => {
  const before = await digestBlends(filled);
  const { pool } = filled;
  const change = async (sql: string) => {
    await pool.query(`begin; ${sql}`);
    await pool.query('commit');
  };
  const restore = (table: string) =>
    change(`truncate ${table}; insert into ${table} select * from kept_${table} order by random()`);
  for (const table of ['blended_days', 'blended_weeks'])
    await change(`create table kept_${table} as select * from ${table}`);
  await change(`update blended_days set rate = rate * (1 + 2.3e-16)
                where (date, quote) = (select date, quote from blended_days order by random() limit 1)`);
  const changed = await digestBlends(filled);
  expect(changed.version).toBe(before.version);
  expect(changed.tables[0]?.rows).toBe(before.tables[0]?.rows);
  expect(changed.tables[0]?.sha256).not.toBe(before.tables[0]?.sha256);
  expect(changed.tables.slice(1)).toEqual(before.tables.slice(1));
  // As after a restore: the same rows, written in another order.
  await restore('blended_days');
  expect(await digestBlends(filled)).toEqual(before);
  await change('delete from blended_weeks where date = (select min(date) from blended_weeks)');
  const { tables } = await digestBlends(filled);
  expect(tables[1]?.rows).toBeLessThan(before.tables[1]?.rows ?? 0);
  await restore('blended_weeks');
  expect(await digestBlends(filled)).toEqual(before);
  await change('drop table kept_blended_days, kept_blended_weeks');
});

/** Asks again where the API says that its store took too long, as it may on a busy machine. */
async function readBody(url: string): Promise<string> {
  return vi.waitFor(
    async () => {
      const response = await fetch(url);
      const body = await response.text();
      if (response.status !== 200) throw new Error(`${url}: ${response.status} ${body}`);
      return body;
    },
    { timeout: 60_000, interval: 500 },
  );
}
