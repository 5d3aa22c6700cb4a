import type pg from 'pg';
import { type Database, poolOf } from './database.js';

/**
 * Once `stopping` aborts, ends all connections: PostgreSQL then cancels their statements within a second, and rolls back. Call
 * before the first query.
 */
export function endOnAbort(database: Database, stopping: AbortSignal): void {
  const pool = poolOf(database);
  const open = new Set<pg.Client>();
  pool.on('connect', (client: pg.PoolClient & pg.Client) => {
    open.add(client);
    if (stopping.aborted) void client.end();
  });
  pool.on('remove', (client: pg.PoolClient & pg.Client) => open.delete(client));
  const endAll = () => {
    for (const client of open) void client.end();
  };
  stopping.addEventListener('abort', endAll, { once: true });
}
