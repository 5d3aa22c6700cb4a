import {
  assertSchemaCompatibility,
  LATEST_SCHEMA_VERSION,
  runMigrations,
  SchemaMigrationRequiredError,
} from 'bullmq';
import pg from 'pg';
import { MigrationsMissing } from './schema-compatibility.js';

const CONNECT_MS = 5_000;

/** The schema of BullMQ's tables. */
export const QUEUE_SCHEMA = 'bullmq';

/**
 * Creates or updates the tables in which BullMQ keeps its queues, in a schema of their own, where that has not been done.
 * Several processes may do it at once. Throws a MigrationsMissing where it has not been done and the program may not, and
 * if the database can't be reached.
 */
export async function prepareQueueTables(
  databaseUrl: string,
  { migrate }: { migrate: boolean },
): Promise<void> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: CONNECT_MS,
  });
  client.on('error', () => {}); // The query that is running throws it too.
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

/** The version of the tables, by BullMQ's own count, 0 where there are none. */
async function versionOf(client: pg.Client): Promise<number> {
  try {
    return await assertSchemaCompatibility(client, QUEUE_SCHEMA);
  } catch (error) {
    if (error instanceof SchemaMigrationRequiredError) return 0;
    throw error;
  }
}
