import { createHash } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import {
  copyTableOut,
  prepareCopies,
  readTables,
  type Table,
} from '../../core/database/bulk/whole-tables.js';
import type { Database } from '../../core/database/database.js';
import { LOCKS, lockUntilEnd } from '../../core/database/locks.js';
import { readDigests } from '../../core/database/rates.js';
import { readApplied } from '../../core/database/schema-compatibility.js';
import { inOneView, type Transaction } from '../../core/database/transactions.js';
import type { ShowProgress } from '../../core/process/progress.js';
import { softwareVersion } from '../../core/process/project-files.js';
import { makeFolder } from '../../core/process/replace-file.js';
import { checkBackup, MANIFEST, type Manifest, tableFile } from './manifest.js';

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
  const passed = new PassThrough();
  passed.on('data', (chunk: Buffer) => hash.update(chunk));
  await pipeline(
    rows,
    passed,
    createGzip(),
    createWriteStream(tableFile(folder, table.name), { flush: true }),
  );
  return { ...table, rows: rows.rowCount, sha256: hash.digest('hex') };
}
