import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { isDeepStrictEqual } from 'node:util';
import { createGunzip, createGzip } from 'node:zlib';
import {
  copyTableIn,
  copyTableOut,
  emptyTables,
  prepareCopies,
  readTables,
  setSequences,
  type Table,
} from '../../core/database/bulk/whole-tables.js';
import type { Database } from '../../core/database/database.js';
import { BackupError, MANIFEST, type Manifest, readManifest } from '../../core/database/kept-backups.js';
import { LOCKS, lockUntilEnd } from '../../core/database/locks.js';
import { applyMigrations } from '../../core/database/migrate.js';
import { readMigrations } from '../../core/database/migrations.js';
import { hasRates, readDigests } from '../../core/database/rates.js';
import { readApplied } from '../../core/database/schema-compatibility.js';
import { inBulkTransaction, inOneView, type Transaction } from '../../core/database/transactions.js';
import type { ShowProgress } from '../../core/process/progress.js';
import { softwareVersion } from '../../core/process/project-files.js';
import { makeFolder } from '../../core/process/replace-file.js';

/**
 * Writes all tables, as of one instant, into a new folder, which gets its name once it is verified. Only one backup runs at a
 * time. Undefined if something with this name exists. Throws the file system's errors.
 */
export async function backUp(
  database: Database,
  target: string,
  { now, onProgress }: { now: Date; onProgress?: ShowProgress },
): Promise<Manifest | undefined> {
  const folder = resolve(target);
  const partial = join(dirname(folder), `.${basename(folder)}.partial`);
  return inOneView(database, async (view) => {
    await prepareCopies(view);
    await lockUntilEnd(view, LOCKS.backup);
    if (existsSync(folder)) return undefined;
    // This process holds the lock, so an existing folder is from an interrupted backup.
    await rm(partial, { recursive: true, force: true });
    await makeFolder(partial);
    try {
      const manifest: Manifest = {
        format: 1,
        takenAt: now.toISOString(),
        version: softwareVersion,
        migrations: [...(await readApplied(view.client)).keys()],
        blends: await readDigests(view),
        tables: await writeTables(view, partial, onProgress),
      };
      await writeFile(join(partial, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, { flush: true });
      await checkBackup(partial);
      await rename(partial, folder);
      return manifest;
    } catch (error) {
      await rm(partial, { recursive: true, force: true });
      throw error;
    }
  });
}

async function writeTables(
  view: Transaction,
  folder: string,
  onProgress: ShowProgress | undefined,
): Promise<Manifest['tables']> {
  const tables: Manifest['tables'] = [];
  const all = await readTables(view);
  // One connection runs one statement at a time.
  for (const table of all) {
    onProgress?.('backing up', tables.length, all.length);
    tables.push(await writeTable(view, table, folder));
  }
  return tables;
}

async function writeTable(view: Transaction, table: Table, folder: string) {
  const hash = createHash('sha256');
  const rows = copyTableOut(view, table);
  rows.on('data', (chunk: Buffer) => hash.update(chunk));
  await pipeline(rows, createGzip(), createWriteStream(tableFile(folder, table.name), { flush: true }));
  return { ...table, rows: rows.rowCount, sha256: hash.digest('hex') };
}

/** The path of the file with the rows of a table. */
function tableFile(folder: string, table: string): string {
  return join(folder, `${table}.copy.gz`);
}

/** Reads and checks a whole backup, and returns its manifest. Throws a BackupError if anything is missing or has changed. */
export async function checkBackup(folder: string): Promise<Manifest> {
  const manifest = await readManifest(folder);
  for (const { name, sha256 } of manifest.tables) {
    const hash = createHash('sha256');
    try {
      await pipeline(createReadStream(tableFile(folder, name)), createGunzip(), hash);
    } catch (cause) {
      throw new BackupError(`${tableFile(folder, name)} can't be read: ${(cause as Error).message}`, {
        cause,
      });
    }
    if (hash.digest('hex') !== sha256) {
      throw new BackupError(`${tableFile(folder, name)} differs from the manifest: it is damaged`);
    }
  }
  return manifest;
}

/**
 * Checks a backup, restores it in one transaction, compares the digests, and migrates the database. A backup of an older
 * version needs a database without tables. Throws a BackupError if the backup is damaged or of a newer version, and if the
 * database has rates and `replace` is false, or tables of another version.
 */
export async function restore(
  database: Database,
  folder: string,
  { replace = false, onProgress }: { replace?: boolean | undefined; onProgress?: ShowProgress } = {},
): Promise<Manifest> {
  const manifest = await checkBackup(folder);
  await makeTables(database, manifest.migrations);
  await inBulkTransaction(database, async (transaction) => {
    await prepareCopies(transaction);
    await lockUntilEnd(transaction, LOCKS.data);
    if (!replace && (await hasRates(transaction))) {
      throw new BackupError(
        'the database has rates: restore into an empty one, or replace everything in it with --replace',
      );
    }
    await fill(transaction, folder, manifest, onProgress);
  });
  await applyMigrations(database);
  return manifest;
}

/** Creates the tables of the version that the backup was made with. */
async function makeTables(database: Database, wanted: readonly string[]): Promise<void> {
  const known = new Set((await readMigrations()).map(({ name }) => name));
  const unknown = wanted.find((name) => !known.has(name));
  if (unknown)
    throw new BackupError(
      `the backup is of a newer version of this program: it has the migration ${unknown}`,
    );
  const present = await inOneView(database, async ({ client }) => [...(await readApplied(client)).keys()]);
  if (present.length === 0) await applyMigrations(database, { only: wanted });
  else if (!isDeepStrictEqual(present, wanted)) {
    const isNewer = wanted.length > present.length;
    const remedy =
      isNewer && wanted.length === known.size
        ? 'run the command migrate, then restore again'
        : 'restore it into a new database';
    throw new BackupError(
      `the backup is of schema ${wanted.at(-1)}, ${isNewer ? 'a newer' : 'an older'} version than the tables, which are of ${present.at(-1)}: ${remedy}`,
    );
  }
}

async function fill(
  transaction: Transaction,
  folder: string,
  { tables, blends }: Manifest,
  onProgress: ShowProgress | undefined,
): Promise<void> {
  await emptyTables(transaction, tables);
  const sizes = await Promise.all(tables.map(async ({ name }) => (await stat(tableFile(folder, name))).size));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  let done = 0;
  for (const table of tables) {
    const rows = copyTableIn(transaction, table);
    const file = createReadStream(tableFile(folder, table.name));
    file.on('data', ({ length }) => {
      done += length;
      onProgress?.('restoring', done, total);
    });
    await pipeline(file, createGunzip(), rows);
    if (rows.rowCount !== table.rows) {
      throw new BackupError(`${rows.rowCount} rows of ${table.name} were restored instead of ${table.rows}`);
    }
    await setSequences(transaction, table);
  }
  if (!isDeepStrictEqual(await readDigests(transaction), blends)) {
    throw new BackupError('the restored blended rates have another digest than those of the backup');
  }
}
