import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { isDeepStrictEqual } from 'node:util';
import { createGunzip } from 'node:zlib';
import {
  copyTableIn,
  emptyTables,
  prepareCopies,
  setSequences,
} from '../../core/database/bulk/whole-tables.js';
import type { Database } from '../../core/database/database.js';
import { LOCKS, lockUntilEnd } from '../../core/database/locks.js';
import { applyMigrations } from '../../core/database/migrate.js';
import { readMigrations } from '../../core/database/migrations.js';
import { hasRates, readDigests } from '../../core/database/rates.js';
import { readApplied } from '../../core/database/schema-compatibility.js';
import { inBulkTransaction, inOneView, type Transaction } from '../../core/database/transactions.js';
import type { ShowProgress } from '../../core/process/progress.js';
import { BackupError, checkBackup, type Manifest, tableFile } from './backup.js';

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
