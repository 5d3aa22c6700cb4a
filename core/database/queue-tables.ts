import {
  assertSchemaCompatibility,
  LATEST_SCHEMA_VERSION,
  type PgPool,
  runMigrations,
  SchemaMigrationRequiredError,
} from 'bullmq';
import pg from 'pg';
import { connectionOptions } from './connection-options.js';
import { isForbidden } from './errors.js';
import { MigrationsMissing } from './schema-compatibility.js';

const CONNECT_MS = 5_000;
/** How long a connection is idle before the first probe, which detects a peer that has disappeared. */
const KEEP_ALIVE_MS = 10_000;

const QUEUE_SCHEMA = 'bullmq';

/** Prepares BullMQ's tables, concurrently if needed. Throws a MigrationsMissing if the program may not create them. */
export async function prepareQueueTables(databaseUrl: string): Promise<void> {
  const pool = openQueuePool(databaseUrl, { max: 1 });
  const client = await pool.connect();
  try {
    const version = await assertSchemaCompatibility(client, QUEUE_SCHEMA).catch((error: unknown) => {
      if (error instanceof SchemaMigrationRequiredError) return 0; // There are no tables.
      throw error;
    });
    if (version < LATEST_SCHEMA_VERSION) await runMigrations(client, QUEUE_SCHEMA);
  } catch (error) {
    throw isForbidden(error) ? new MigrationsMissing('tables of the queues', error) : error;
  } finally {
    client.release();
    await pool.end();
  }
}

/**
 * Connections for BullMQ. It does not listen for errors of a connection that it uses. If PostgreSQL shut down at such a
 * moment, the error would be uncaught.
 */
export function openQueuePool(databaseUrl: string, limits: pg.PoolConfig): PgPool {
  const pool = new pg.Pool({
    ...connectionOptions(databaseUrl),
    ...limits,
    options: `-c search_path=${QUEUE_SCHEMA}`,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  });
  pool.on('connect', (client) => client.on('error', () => {})); // The next query on it throws.
  return pool as unknown as PgPool; // BullMQ's type has fewer overloads.
}
