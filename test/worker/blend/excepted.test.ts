import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ProgramOutdated } from '../../../core/database/blend-method.js';
import { exportRates } from '../../../core/database/bulk/export-rates.js';
import { lockData } from '../../../core/database/locks.js';
import { inTransaction } from '../../../core/database/transactions.js';
import { BLEND_METHOD } from '../../../core/domain/blend/method.js';
import { systemClock } from '../../../core/domain/clock.js';
import { exceptProviders } from '../../../core/domain/providers.js';
import { rebuild, renewBlends, takeBlendsOver } from '../../../worker/blend/reblend.js';
import type { RateRow } from '../../../worker/feeds/feed.js';
import { bootstrap } from '../../../worker/import/bootstrap.js';
import { importRates } from '../../../worker/import/import.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';
import { emptyTables, feedOf, ingestFrom, readRows } from '../ingest/support.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());
afterEach(() => exceptProviders([]));
beforeEach(() => emptyTables(database));

const EURO: RateRow[] = ['2026-03-02', '2026-03-03'].map((date) => ({
  date,
  base: 'EUR',
  quote: 'USD',
  rate: 1.1,
}));
/** Another euro, and a currency that nobody else has. */
const LEBANON: RateRow[] = EURO.flatMap((row) => [
  { ...row, rate: 1.2 },
  { ...row, base: 'USD', quote: 'LBP', rate: 89_500 },
]);
const ingestEuro = () => ingestFrom(database, feedOf('ECB', EURO));
const ingestLebanon = () => ingestFrom(database, feedOf('BDL', LEBANON));
const importLines = (...lines: string[]) => importRates(database, toBytes(lines), { today: '2026-03-20' });

async function* toBytes(lines: string[]) {
  yield `${lines.join('\n')}\n`;
}

/** All that is made of the rates. */
async function made() {
  const tables = ['blended_days', 'blended_weeks', 'blended_months'];
  const blends = tables.map((table) => readRows(database, `select * from ${table} order by date, quote`));
  const currencies = readRows(database, 'select * from currencies order by code');
  return Promise.all([...blends, currencies]);
}
const versions = () =>
  readRows(
    database,
    'select excepted, changed_from::text, changed_to::text from data_versions order by version',
  );
const stored = async () =>
  (await readRows(database, 'select provider, count(*)::int from rates group by 1 order by 1')).map((row) =>
    row.join(' '),
  );
const codes = async () => (await readRows(database, 'select code from currencies order by 1')).flat();

describe('the blends of a provider that is excepted since', () => {
  it('go when a worker takes them over, and come back, and all its rates stay', async () => {
    await ingestEuro();
    const without = await made();
    await ingestLebanon();
    const withAll = await made();
    expect(withAll).not.toEqual(without);
    expect(await codes()).toContain('LBP');

    exceptProviders(['BDL']);
    expect(await takeBlendsOver(database)).toBe(3n);
    expect(await made()).toEqual(without);
    expect(await stored()).toEqual(['BDL 4', 'ECB 2']);
    expect((await versions()).at(-1)).toEqual(['BDL', '2026-03-02', '2026-03-03']);
    expect(await takeBlendsOver(database)).toBeUndefined();

    exceptProviders([]);
    expect(await takeBlendsOver(database)).toBe(4n);
    expect(await made()).toEqual(withAll);
    expect((await versions()).map(([excepted]) => excepted)).toEqual(['', '', 'BDL', '']);
  });

  it('are taken over once by workers that start together, and what is written then is without them', async () => {
    await ingestEuro();
    await ingestLebanon();
    exceptProviders(['BDL', 'BM']);
    const taken = await Promise.all([1, 2, 3].map(() => takeBlendsOver(database)));
    expect(taken.filter((version) => version !== undefined)).toEqual([3n]);
    await ingestFrom(database, feedOf('ECB', [{ ...EURO[0], rate: 1.3 } as RateRow]));
    expect(
      await readRows(database, "select rate from blended_days where quote = 'EUR' order by date"),
    ).toEqual([[1 / 1.3], [1 / 1.1]]);
    expect((await versions()).map(([excepted]) => excepted)).toEqual(['', '', 'BDL,BM', 'BDL,BM']);
  });

  it('are renewed by the newer method with that', async () => {
    await ingestEuro();
    await ingestLebanon();
    await database.pool.query('update data_versions set method = $1', [BLEND_METHOD - 1]);
    exceptProviders(['BDL']);
    expect(await takeBlendsOver(database)).toBe(3n);
    expect(await renewBlends(database)).toBeUndefined();
    // Those of an older method alone are left to a job.
    await database.pool.query('update data_versions set method = $1', [BLEND_METHOD - 1]);
    expect(await takeBlendsOver(database)).toBeUndefined();
    expect(await renewBlends(database)).toBe(4n);
  });

  it('are left to newer programs where they are of a newer method, and there are none in an empty database', async () => {
    exceptProviders(['BDL']);
    expect(await takeBlendsOver(database)).toBeUndefined();
    exceptProviders([]);
    await ingestEuro();
    await database.pool.query('update data_versions set method = $1', [BLEND_METHOD + 1]);
    exceptProviders(['BDL']);
    expect(await takeBlendsOver(database)).toBeUndefined();
  });

  it('leave its suspects as they were', async () => {
    await ingestEuro();
    const rates = [89_500, 8_950, 89_500].map((rate, day) => ({
      date: `2026-03-0${day + 2}`,
      base: 'USD',
      quote: 'LBP',
      rate,
    }));
    await ingestFrom(database, feedOf('BDL', rates));
    const suspects = () => readRows(database, 'select * from suspects join suspect_states on suspect = id');
    const before = await suspects();
    expect(await readRows(database, 'select provider, rate, status from suspects')).toEqual([
      ['BDL', 8_950, 'held'],
    ]);
    for (const keys of [['BDL'], []]) {
      exceptProviders(keys);
      await takeBlendsOver(database);
      expect(await suspects()).toEqual(before);
    }
  });
});

describe('a program that excepts others than the blends', () => {
  const writers: [string, () => Promise<unknown>][] = [
    ['an ingest', ingestEuro],
    ['an import', () => importLines('provider,date,base,quote,rate', 'ECB,2026-03-09,EUR,USD,1.2')],
    ['blending everything', () => rebuild(database)],
    ['renewing blends', () => renewBlends(database)],
    ['any other transaction', () => inTransaction(database, lockData)],
  ];

  it.each(writers)('is kept from %s', async (_what, write) => {
    await ingestLebanon();
    const before = await made();
    exceptProviders(['BM', 'BFM']);
    const failing = write();
    await expect(failing).rejects.toThrow(ProgramOutdated);
    await expect(failing).rejects.toThrow(
      'the database is blended with PROVIDERS_EXCEPT=, and this program has PROVIDERS_EXCEPT=BFM,BM: set them alike',
    );
    expect([await made(), await stored(), await versions()]).toEqual([
      before,
      ['BDL 4'],
      [['', '2026-03-02', '2026-03-03']],
    ]);
  });
});

describe('rows of an excepted provider', () => {
  const HEADER = 'provider,date,base,quote,rate';
  const ROWS = ['BDL,2026-03-02,USD,LBP,89500', 'BM,2026-03-02,USD,MZN,63.9', 'ECB,2026-03-02,EUR,USD,1.1'];
  beforeEach(() => exceptProviders(['BDL', 'BM']));

  it('are not among the first data', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'bootstrap-'));
    const file = join(folder, 'rates.csv.gz');
    await writeFile(file, gzipSync(`${[HEADER, ...ROWS].join('\n')}\n`));
    try {
      const log = pino({ level: 'silent' });
      const result = await bootstrap(database, log, { clock: systemClock, file });
      expect(result).toMatchObject({ rowsNew: 1, rowsDropped: { excepted: 2 } });
    } finally {
      await rm(folder, { recursive: true });
    }
    expect(await stored()).toEqual(['ECB 1']);
    expect(await codes()).not.toContain('LBP');
    expect(await readRows(database, 'select key from providers')).toEqual([['ECB']]);
    expect((await versions()).map(([excepted]) => excepted)).toEqual(['BDL,BM']);
  });

  it('are dropped and counted by an import, also with a history, and those of nobody still refused', async () => {
    expect(await importLines(HEADER, ...ROWS)).toMatchObject({ rowsNew: 1, rowsDropped: { excepted: 2 } });
    await expect(importLines(HEADER, 'XYZ,2026-03-02,EUR,USD,1.1')).rejects.toThrow('unknown provider "XYZ"');
    await emptyTables(database);
    const history = ROWS.map((row) => `${row},2026-03-02T16:00:00.000Z,,,`);
    const imported = await importLines(`${HEADER},recorded_at,replaced_at,cause,suspect`, ...history);
    expect(imported).toMatchObject({ rowsNew: 1, rowsDropped: { excepted: 2 } });
    expect(await stored()).toEqual(['ECB 1']);
    expect(await ingestEuro()).toMatchObject({ rowsNew: 1 });
  });

  it('are not exported, though they are stored', async () => {
    exceptProviders([]);
    await importLines(HEADER, ...ROWS, 'BDL,2026-03-03,USD,LBP,89500');
    await importLines(HEADER, 'BDL,2026-03-02,USD,LBP,89600', 'ECB,2026-03-02,EUR,USD,1.2');
    const exported = async (history: boolean) => {
      const output = new PassThrough();
      const [csv] = await Promise.all([text(output), exportRates(database, output, { history })]);
      return csv.split('\n').map((line) => line.split(',')[0]);
    };
    const all = ['provider', 'BDL', 'BDL', 'BM', 'ECB', ''];
    expect(await exported(false)).toEqual(all);
    exceptProviders(['BDL', 'BM']);
    expect(await exported(false)).toEqual(['provider', 'ECB', '']);
    expect(await exported(true)).toEqual(['provider', 'ECB', 'ECB', '']);
  });
});
