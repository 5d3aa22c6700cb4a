import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectFolder } from '../process/project-files.js';
import { StartError } from '../process/start-failure.js';

export interface Migration {
  /** Starts with the time at which it was written, so that names sort by age. */
  name: string;
  sql: string;
  checksum: string;
}

/** The database can't be migrated. The message names the migration. */
export class MigrationError extends StartError {}

const FOLDER = join(projectFolder, 'prisma', 'migrations');

export async function readMigrations(folder = FOLDER): Promise<Migration[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    names.sort().map(async (name) => {
      // A checkout may convert line endings to CRLF. Prisma normalizes them for checksums, and so does this.
      const sql = (await readFile(join(folder, name, 'migration.sql'), 'utf8')).replaceAll('\r\n', '\n');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}
