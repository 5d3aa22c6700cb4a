import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import pino from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { BlendsOutdated, ProgramOutdated } from '../../../core/database/blend-method.js';
import { lockData } from '../../../core/database/locks.js';
import { inTransaction } from '../../../core/database/transactions.js';
import { BLEND_METHOD } from '../../../core/domain/blend/method.js';
import { systemClock } from '../../../core/domain/clock.js';
import { rebuild, renewBlends } from '../../../worker/blend/reblend.js';
import type { RateRow } from '../../../worker/feeds/feed.js';
import { bootstrap } from '../../../worker/import/bootstrap.js';
import { importRates } from '../../../worker/import/import.js';
import { groupCommit, storeAlone } from '../../../worker/ingest/group-commit.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';
import { emptyTables, feedOf, ingestFrom, newestRun, readRows } from '../ingest/support.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());
beforeEach(() => emptyTables(database));

const dollars = (date: string, rate: number): RateRow => ({ date, base: 'EUR', quote: 'USD', rate });
const ingestAlone = () => ingestFrom(database, feedOf('ECB', [dollars('2026-03-09', 1.2)]));
const importLines = (...lines: string[]) => importRates(database, toBytes(lines), { today: '2026-03-20' });
const methods = async () =>
  (await readRows(database, 'select method from data_versions order by version')).flat();
const blends = () => readRows(database, 'select date, quote, rate from blended_days order by date, quote');

async function* toBytes(lines: string[]) {
  yield `${lines.join('\n')}\n`;
}

/** Whatever changes rates or blends. */
const WRITERS: [string, () => Promise<unknown>][] = [
  ['an ingest', ingestAlone],
  [
    'an ingest in a group',
    () => ingestFrom(database, feedOf('ECB', [dollars('2026-03-09', 1.2)]), { store: groupCommit(database) }),
  ],
  ['an import', () => importLines('provider,date,base,quote,rate', 'ECB,2026-03-09,EUR,USD,1.2')],
];

/** A database in which another program has blended by its method, and what that is to be. */
async function blendedByMethod(method: number) {
  await ingestFrom(database, feedOf('ECB', [dollars('2026-03-02', 1.1)]));
  const right = await blends();
  await database.pool.query('update blended_days set rate = 7');
  await database.pool.query('update data_versions set method = $1', [method]);
  return right;
}

it('every data version says by which method it was made', async () => {
  await ingestAlone();
  await importLines('provider,date,base,quote,rate', 'BOC,2026-03-09,USD,CAD,1.4');
  await database.pool.query('update blended_days set rate = 7');
  await rebuild(database);
  expect(await methods()).toEqual([BLEND_METHOD, BLEND_METHOD, BLEND_METHOD]);
});

it('a history that is imported into an empty database is of the present method', async () => {
  const at = '2026-03-03T10:00:00.000Z';
  await importLines(
    'provider,date,base,quote,rate,recorded_at,replaced_at,cause,suspect',
    `ECB,2026-03-02,EUR,USD,1.1,${at},,,`,
  );
  expect(await methods()).toEqual([BLEND_METHOD]);
  expect(await ingestAlone()).toMatchObject({ rowsNew: 1 });
});

describe('blends of an older method', () => {
  it.each(WRITERS)('are renewed before %s', async (_what, write) => {
    const right = await blendedByMethod(BLEND_METHOD - 1);
    await write();
    expect(await blends()).toEqual(expect.arrayContaining(right));
    expect(await methods()).toEqual([BLEND_METHOD - 1, BLEND_METHOD, BLEND_METHOD]);
  });

  it('are renewed once by those that write at the same time', async () => {
    await blendedByMethod(BLEND_METHOD - 1);
    const keys = ['ECB', 'BOC', 'NB'];
    const store = storeAlone(database);
    const rows = [dollars('2026-03-09', 1.2)];
    const writing = keys.map((key, index) =>
      ingestFrom(database, feedOf(key, rows), index === 0 ? {} : { store }),
    );
    await Promise.all([renewBlends(database), ...writing]);
    expect(await methods()).toEqual([BLEND_METHOD - 1, ...Array(4).fill(BLEND_METHOD)]);
    expect(await renewBlends(database)).toBeUndefined();
  });

  it('make a version also where nothing changes', async () => {
    await ingestAlone();
    await database.pool.query('update data_versions set method = $1', [BLEND_METHOD - 1]);
    expect(await renewBlends(database)).toBe(2n);
    expect(await methods()).toEqual([BLEND_METHOD - 1, BLEND_METHOD]);
    expect(await rebuild(database)).toBeUndefined();
  });

  it('are refused by a transaction that does not renew them', async () => {
    await blendedByMethod(BLEND_METHOD - 1);
    await expect(inTransaction(database, lockData)).rejects.toThrow(BlendsOutdated);
  });
});

describe('a program whose method is older than that of the blends', () => {
  const told = `this program blends by method ${BLEND_METHOD}, the database by method ${BLEND_METHOD + 1}: start a newer version`;
  const writers: typeof WRITERS = [
    ...WRITERS,
    ['blending everything', () => rebuild(database)],
    ['any other transaction', () => inTransaction(database, lockData)],
  ];

  it.each(writers)('is kept from %s', async (_what, write) => {
    await blendedByMethod(BLEND_METHOD + 1);
    const before = await blends();
    const failing = write();
    await expect(failing).rejects.toThrow(ProgramOutdated);
    await expect(failing).rejects.toThrow(told);
    expect(await blends()).toEqual(before);
    expect(await methods()).toEqual([BLEND_METHOD + 1]);
    expect(await readRows(database, 'select date from rates')).toEqual([['2026-03-02']]);
  });

  it('does not hold it against the bank', async () => {
    await blendedByMethod(BLEND_METHOD + 1);
    await expect(ingestAlone()).rejects.toThrow(ProgramOutdated);
    expect(await newestRun(database)).toMatchObject({ outcome: 'failed', error: told });
    expect(await readRows(database, 'select last_error from providers')).toEqual([[null]]);
  });
});

it.each([BLEND_METHOD - 1, BLEND_METHOD + 1])(
  'the first data ask nothing of blends of method %i',
  async (method) => {
    const folder = await mkdtemp(join(tmpdir(), 'bootstrap-'));
    const file = join(folder, 'rates.csv.gz');
    await writeFile(file, gzipSync('provider,date,base,quote,rate\nECB,2026-03-02,EUR,USD,1.1\n'));
    await blendedByMethod(method);
    try {
      const log = pino({ level: 'silent' });
      expect(await bootstrap(database, log, { clock: systemClock, file })).toBeUndefined();
    } finally {
      await rm(folder, { recursive: true });
    }
  },
);
