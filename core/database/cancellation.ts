import type pg from 'pg';
import { type Database, poolOf } from './database.js';

const CLOSE_LIMIT_MS = 2_000;

/**
 * Once `stopping` aborts, ends all connections: PostgreSQL then cancels their statements within a second, and rolls back. Call
 * before the first query. The returned function is for after the database was closed: it settles when all connections have
 * ended, or after two seconds.
 */
export function endOnAbort(database: Database, stopping: AbortSignal): () => Promise<void> {
  const pool = poolOf(database);
  const open = new Set<pg.Client>();
  let settle = () => {};
  pool.on('connect', (client: pg.PoolClient & pg.Client) => {
    open.add(client);
    if (stopping.aborted) void client.end();
  });
  pool.on('remove', (client: pg.PoolClient & pg.Client) => {
    open.delete(client);
    if (open.size === 0) settle();
  });
  const endAll = () => {
    for (const client of open) void client.end();
  };
  stopping.addEventListener('abort', endAll, { once: true });
  return () =>
    new Promise((resolve) => {
      settle = resolve;
      if (open.size === 0) resolve();
      else setTimeout(resolve, CLOSE_LIMIT_MS).unref();
    });
}
