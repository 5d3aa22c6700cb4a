import type { Logger } from 'pino';
import { openDatabase, poolOf } from '../database/database.js';
import { readMigrations } from '../database/migrations.js';
import { compareSchema } from '../database/schema-compatibility.js';
import { tryDatabase } from '../database/wait-for-database.js';

/** Throws if the database can't be used, once for all programs. */
export async function checkDatabase(url: string, log: Logger): Promise<void> {
  const database = openDatabase(url, { log, connections: 1 });
  try {
    await tryDatabase(database);
    await compareSchema(poolOf(database), await readMigrations(), { access: 'write' });
  } finally {
    await database.close();
  }
}
