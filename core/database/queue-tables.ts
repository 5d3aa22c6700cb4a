import { runMigrations } from 'bullmq';
import pg from 'pg';

const CONNECT_MS = 5_000;

/**
 * Creates or updates the tables in which BullMQ keeps its queues, in a schema of their own. Several processes may do
 * it at once. Throws if the database can't be reached.
 */
export async function prepareQueueTables(databaseUrl: string, schema: string): Promise<void> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: CONNECT_MS,
  });
  client.on('error', () => {}); // The query that is running throws it too.
  await client.connect();
  try {
    await runMigrations(client, schema);
  } finally {
    await client.end();
  }
}
