import { runMigrations } from 'bullmq';
import pg from 'pg';

const CONNECT_MS = 5_000;

/** The schema of BullMQ's tables. */
export const QUEUE_SCHEMA = 'bullmq';

/** SQLSTATE. */
const NOT_ALLOWED = '42501';

/**
 * Creates or updates the tables in which BullMQ keeps its queues, in a schema of their own. Several processes may do
 * it at once. A user that may not create any uses those that the command `migrate` has made. Throws if the database
 * can't be reached.
 */
export async function prepareQueueTables(databaseUrl: string): Promise<void> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: CONNECT_MS,
  });
  client.on('error', () => {}); // The query that is running throws it too.
  await client.connect();
  try {
    await runMigrations(client, QUEUE_SCHEMA);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError && error.code === NOT_ALLOWED)) throw error;
  } finally {
    await client.end();
  }
}
