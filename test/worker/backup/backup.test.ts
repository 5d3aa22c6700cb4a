import { mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { pino } from 'pino';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { BackupError } from '../../../core/database/kept-backups.js';
import { applyMigrations } from '../../../core/database/migrate.js';
import { readMigrations } from '../../../core/database/migrations.js';
import { recordOperatorAct } from '../../../core/database/operators.js';
import { digestBlends } from '../../../core/database/rates.js';
import { readLoadedFrom } from '../../../core/database/shipped-rates.js';
import { readTask } from '../../../core/database/worker-tasks.js';
import { writeShippedTables } from '../../../tools/bootstrap/shipped-table.js';
import { backUp, checkBackup, restore } from '../../../worker/backup/backup.js';
import { backUpDaily, backUpOnRequest } from '../../../worker/backup/daily.js';
import { loadShippedRates } from '../../../worker/import/shipped-rates.js';
import { emptyDatabase, type TestDatabase, testDatabase } from '../../support/postgres.js';
import { propertyRuns } from '../../support/property-runs.js';
import { databaseWith, someRates } from '../../support/rates.js';
import { loadAll, shippedIn } from '../../support/shipped-rates.js';
import { derived } from '../blend/same-rows.js';
import { cli, ownFolder } from '../cli/support.js';
import { dollars, readLines, readRows } from '../ingest/support.js';

const NOW = new Date('2026-03-20T12:00:00Z');

const folder = await ownFolder();
const full = await databaseWith(someRates('2026-02-20'));
await full.pool.query(`
    insert into refusal_phrases (phrase) values (E'tab\\there, \\\\N, \\\\., "quoted"\\r\\nand a line'), ('żółw 🐢'), ('');
    delete from refusal_phrases where phrase = '';
    insert into operator_acts (operator, client, act, details) values ('token', '::1', 'ingest', '{"a": [1, "\\\\n"]}');
    insert into run_responses values (1, 1, 'https://bank.example/?a=1', '2026-03-20 01:02:03.004+05', '\\x00ff0a5c', 7);
    insert into rate_revisions (provider, date, base, quote, rate, recorded_at)
      values ('ECB', '1999-01-04', 'EUR', 'USD', 0.1 + 0.2, '-infinity'), ('ECB', '0001-01-01 BC', 'EUR', 'USD', 5e-324, now())`);
afterAll(() => full.close());

/** Every row and sequence of a database, and its migrations. */
async function contentOf(database: TestDatabase): Promise<unknown[][]> {
  const read = (query: string) => readRows(database, query);
  const tables = await read(
    `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`,
  );
  const content = [await read('select sequencename, last_value from pg_sequences order by 1')];
  for (const [table] of tables) {
    const columns = table === '_prisma_migrations' ? 'migration_name, checksum' : '*';
    const rows = `select row_data::text from (select ${columns} from ${table}) as row_data order by 1`;
    content.push([[table], ...(await read(rows))]);
  }
  return content;
}

let made = 0;
const newFolder = () => join(folder, `backup-${made++}`);

async function backedUp(database: TestDatabase = full): Promise<string> {
  const target = newFolder();
  await backUp(database, target, { now: NOW });
  return target;
}

async function withEmptyDatabase(work: (database: TestDatabase) => Promise<void>): Promise<void> {
  const database = await emptyDatabase();
  await work(database).finally(() => database.close());
}

describe('a backup', () => {
  it('gives back every row, number and digest', async () => {
    const source = await backedUp();
    await withEmptyDatabase(async (database) => {
      await restore(database, source);
      expect(await contentOf(database)).toEqual(await contentOf(full));
      expect((await digestBlends(database)).periods).toEqual((await digestBlends(full)).periods);
      await database.pool.query(`insert into refusal_phrases (phrase) values ('next')`);
      expect(await readRows(database, `select id from refusal_phrases where phrase = 'next'`)).toEqual([[4]]);
    });
  });

  it('is of one instant, whatever is written meanwhile', async () => {
    const database = await testDatabase();
    const writing = new AbortController();
    const write = async () => {
      for (let number = 0; !writing.signal.aborted; number++) {
        await database.pool.query(`
          begin; insert into operator_acts (operator, client, act) values ('token', '::1', 'login');
          insert into refusal_phrases (phrase) values ('${number}'); commit`);
      }
    };
    const written = write();
    try {
      await vi.waitFor(async () => expect(await database.prisma.refusalPhrase.count()).toBeGreaterThan(0));
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 0, max: 40 }), async (pause) => {
          await delay(pause);
          const { tables } = await checkBackup(await backedUp(database));
          const rowsOf = (name: string) => tables.find((table) => table.name === name)?.rows;
          expect(rowsOf('refusal_phrases')).toBeGreaterThan(0);
          expect(rowsOf('refusal_phrases')).toBe(rowsOf('operator_acts'));
        }),
        { ...propertyRuns(8), endOnFailure: true },
      );
    } finally {
      writing.abort();
      await written;
      await database.close();
    }
  });

  it('is refused once it has changed or was cut short, at any place', async () => {
    const source = await backedUp();
    const files = (await readdir(source)).filter((name) => name !== 'manifest.json');
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...files),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        fc.boolean(),
        async (name, place, isCut) => {
          const path = join(source, name);
          const whole = await readFile(path);
          const at = Math.floor(place * whole.length);
          const changed = Buffer.from(whole);
          // Bytes 4 to 9 of gzip are a time and the kind of system, which mean nothing here.
          const isMeaningless = !isCut && at >= 4 && at <= 9;
          changed[at] = (changed[at] ?? 0) ^ 0x55;
          await writeFile(path, isCut ? whole.subarray(0, at) : changed);
          const checked = checkBackup(source).finally(() => writeFile(path, whole));
          await (isMeaningless ? checked : expect(checked).rejects.toThrow(BackupError));
        },
      ),
      propertyRuns(60),
    );
    await checkBackup(source);
    await truncate(join(source, 'manifest.json'), 100);
    await expect(checkBackup(source)).rejects.toThrow(/is not the manifest of a backup/);
    await rm(join(source, 'manifest.json'));
    await expect(checkBackup(source)).rejects.toThrow(/is not a complete backup/);
  });

  it('leaves nothing where it can not be written, and replaces nothing', async () => {
    const target = newFolder();
    await mkdir(target);
    await writeFile(join(target, 'notes.txt'), 'of somebody');
    expect(await backUp(full, target, { now: NOW })).toBeUndefined();
    expect(await readdir(target)).toEqual(['notes.txt']);
    await expect(backUp(full, join(target, 'notes.txt', 'below'), { now: NOW })).rejects.toThrow('ENOTDIR');
    const nowhere = process.platform === 'linux' ? '/proc/almanac' : '/dev/null/almanac';
    await expect(backUp(full, nowhere, { now: NOW })).rejects.toHaveProperty('syscall', 'mkdir');
    await withEmptyDatabase(async (database) => {
      const before = await readdir(folder);
      await expect(backUp(database, newFolder(), { now: NOW })).rejects.toThrow('blended_days');
      expect(await readdir(folder)).toEqual(before);
    });
  });
});

describe('a restore', () => {
  it('replaces what a database holds only if it is asked to, and all or nothing', async () => {
    const source = await backedUp();
    const database = await databaseWith([{ provider: 'ECB', ...dollars('2026-03-02') }]);
    try {
      const before = await contentOf(database);
      await expect(restore(database, source)).rejects.toThrow('the database has rates');
      const manifest = await readFile(join(source, 'manifest.json'), 'utf8');
      await writeFile(join(source, 'manifest.json'), manifest.replace(/("blends".*?"sha256": ")../s, '$100'));
      await expect(restore(database, source, { replace: true })).rejects.toThrow('another digest');
      expect(await contentOf(database)).toEqual(before);
      await writeFile(join(source, 'manifest.json'), manifest);
      await restore(database, source, { replace: true });
      expect(await contentOf(database)).toEqual(await contentOf(full));
    } finally {
      await database.close();
    }
  });

  it('of a backup made while the first rates were loading is a database that loads the rest', async () => {
    const tables = await mkdtemp(join(folder, 'tables-'));
    const isKept = ({ date }: { date: string }) => date > '2025' || date.endsWith('3');
    await writeShippedTables(tables, someRates('2019-06-03').filter(isKept));
    const database = await testDatabase();
    const parts = loadShippedRates(database, shippedIn(tables));
    await parts.next();
    const [source] = await Promise.all([backedUp(database), parts.next()]);
    await withEmptyDatabase(async (restored) => {
      await restore(restored, source);
      expect(await readLoadedFrom(restored)).toBeDefined();
      const ends: unknown[] = [];
      for await (const _ of parts); // Loads the rest.
      await loadAll(restored, { ...shippedIn(tables), begins: false });
      for (const one of [database, restored]) {
        const rates = await readLines(
          one,
          'select provider, date::text, base, quote, rate, run from rates order by 1, 2, 3, 4',
        );
        const runs = await readLines(
          one,
          'select provider, window_from::text, outcome, rows_new from ingest_runs order by id',
        );
        ends.push({ rates, runs, ...(await derived(one)) });
      }
      expect(ends[1]).toEqual(ends[0]);
    }).finally(() => database.close());
  });

  it('brings a backup of an older version up to date, in a new database', async () => {
    const names = (await readMigrations()).map(({ name }) => name);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: names.length - 1 }), async (count) => {
        let source = '';
        await withEmptyDatabase(async (older) => {
          await applyMigrations(older, { only: names.slice(0, count) });
          await older.pool.query(`insert into refusal_phrases (phrase) values ('kept')`);
          source = await backedUp(older);
        });
        await withEmptyDatabase(async (database) => {
          await restore(database, source);
          expect((await checkBackup(await backedUp(database))).migrations).toEqual(names);
          expect(await readRows(database, 'select phrase from refusal_phrases')).toEqual([['kept']]);
          await expect(restore(database, source)).rejects.toThrow('older version than the tables');
        });
      }),
      { ...propertyRuns(3), endOnFailure: true },
    );
  });

  it('into tables of an older version is refused with what to run', async () => {
    const source = await backedUp();
    const names = (await readMigrations()).map(({ name }) => name);
    await withEmptyDatabase(async (database) => {
      await applyMigrations(database, { only: names.slice(0, -1) });
      await expect(restore(database, source)).rejects.toThrow(
        `the backup is of schema ${names.at(-1)}, a newer version than the tables, which are of ${names.at(-2)}: run the command migrate, then restore again`,
      );
      await applyMigrations(database);
      await restore(database, source);
    });
  });

  it('refuses a backup of a newer version', async () => {
    const source = await backedUp();
    const path = join(source, 'manifest.json');
    const manifest = JSON.parse(await readFile(path, 'utf8'));
    manifest.migrations.push('29990101000000_newer');
    await writeFile(path, JSON.stringify(manifest));
    await withEmptyDatabase((database) =>
      expect(restore(database, source)).rejects.toThrow(/newer version .* 29990101000000_newer/),
    );
  });
});

it('by commands: what was backed up is restored, into a new database too', async () => {
  const target = newFolder();
  const run = ({ url }: TestDatabase, ...words: string[]) => cli(words, { variables: { DATABASE_URL: url } });
  const backup = await run(full, 'backup', target);
  const stderr = expect.stringMatching(/^backed up \d+ rows into .* s\n$/);
  expect(backup).toEqual({ code: 0, stdout: expect.stringMatching(/^rates +\d+$/m), stderr });
  expect((await run(full, 'backup', target)).stderr).toBe(`almanac: ${target} already exists\n`);
  if (process.platform === 'linux') {
    const { stderr: nowhere } = await run(full, 'backup', '/proc/almanac');
    expect(nowhere).toContain("mkdir '/proc/.almanac.partial'");
  }
  await withEmptyDatabase(async (database) => {
    const restored = expect.stringMatching(/^restored \d+ rows of 2026-/);
    expect(await run(database, 'restore', target)).toEqual({ code: 0, stdout: '', stderr: restored });
    expect((await run(database, 'digest')).stdout).toBe((await run(full, 'digest')).stdout);
    const refused = expect.stringMatching(/^almanac: the database has rates.*--replace\n$/);
    expect(await run(database, 'restore', target)).toMatchObject({ code: 1, stderr: refused });
  });
});

const backups = { database: full, log: pino({ level: 'silent' }) };

it('daily ones are made once a day, by however many workers, and the oldest whole ones are removed', async () => {
  const daily = { ...backups, folder: join(folder, 'daily'), keep: 2 };
  for (const day of ['2026-03-18', '2026-03-19', '2026-03-20']) {
    const now = new Date(`${day}T23:47:00Z`);
    await Promise.all([1, 2, 3].map(() => backUpDaily(daily, now)));
    const manifest = () => readFile(join(daily.folder, day, 'manifest.json'), 'utf8');
    const taken = await manifest();
    await backUpDaily(daily, new Date(`${day}T23:59:59Z`));
    expect(await manifest()).toBe(taken);
    if (day > '2026-03-18') continue;
    for (const name of ['2020-01-01', '.2026-03-19.partial']) await mkdir(join(daily.folder, name));
  }
  expect((await readdir(daily.folder)).sort()).toEqual(['2020-01-01', '2026-03-19', '2026-03-20']);
});

it('ones on request are made once, noted with their size or their failure, and removed with their day', async () => {
  const requested = { ...backups, folder: join(folder, 'requested'), keep: 1 };
  const request = () =>
    recordOperatorAct(full, { operator: 'token', client: '::1', act: 'back up', details: {} });
  const look = (now: string) => Promise.all([1, 2].map(() => backUpOnRequest(requested, new Date(now))));
  await backUpDaily(requested, new Date('2026-03-20T00:47:00Z'));
  await request();
  await look('2026-03-20T15:02:07Z');
  await look('2026-03-20T15:03:00Z');
  expect(await readdir(requested.folder)).toEqual(['2026-03-20', '2026-03-20-150207']);
  const outcome = { folder: '2026-03-20-150207', rows: expect.any(Number), bytes: expect.any(Number) };
  const succeededAt = new Date('2026-03-20T15:02:07Z');
  const made = { requestedAt: null, startedAt: null, succeededAt, outcome, failedAt: null, error: null };
  expect(await readTask(full, 'back up')).toEqual(made);

  await request();
  const nowhere = { ...requested, folder: join(requested.folder, '2026-03-20', 'manifest.json') };
  await expect(backUpOnRequest(nowhere, new Date('2026-03-20T16:00:00Z'))).rejects.toThrow('ENOTDIR');
  const failure = { failedAt: new Date('2026-03-20T16:00:00Z'), error: expect.stringContaining('ENOTDIR') };
  expect(await readTask(full, 'back up')).toEqual({ ...made, ...failure });

  await backUpDaily(requested, new Date('2026-03-21T00:47:00Z'));
  expect(await readdir(requested.folder)).toEqual(['2026-03-21']);
});
