import {
  assertSchemaCompatibility,
  LATEST_SCHEMA_VERSION,
  runMigrations,
  SchemaMigrationRequiredError,
} from 'bullmq';
import pg from 'pg';
import { connectionOptions } from './connection-options.js';
import { MigrationsMissing } from './schema-compatibility.js';

const CONNECT_MS = 5_000;

export const QUEUE_SCHEMA = 'bullmq';

/** Prepares BullMQ's tables, concurrently if needed. Throws a MigrationsMissing if the program may not create them. */
export async function prepareQueueTables(
  databaseUrl: string,
  { migrate }: { migrate: boolean },
): Promise<void> {
  const client = new pg.Client({
    ...connectionOptions(databaseUrl),
    connectionTimeoutMillis: CONNECT_MS,
  });
  client.on('error', () => {}); // The running query throws the same error.
  await client.connect();
  try {
    if ((await versionOf(client)) >= LATEST_SCHEMA_VERSION) return;
    if (!migrate) {
      throw new MigrationsMissing(
        'the database lacks tables of the queues, and MIGRATE is off: run the command migrate',
      );
    }
    await runMigrations(client, QUEUE_SCHEMA);
  } finally {
    await client.end();
  }
}

/** The version of the tables in BullMQ's numbering; 0 if they do not exist. */
async function versionOf(client: pg.Client): Promise<number> {
  try {
    return await assertSchemaCompatibility(client, QUEUE_SCHEMA);
  } catch (error) {
    if (error instanceof SchemaMigrationRequiredError) return 0;
    throw error;
  }
}
