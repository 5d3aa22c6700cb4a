import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import { watchConnection } from '../process/connection-errors.js';
import { type Database, poolOf } from './database.js';

const RECONNECT_MS = 500;

export async function notify(database: Database, channel: string, message: string): Promise<void> {
  await poolOf(database).query('select pg_notify($1, $2)', [channel, message]);
}

interface Listening {
  /** Called for every message, and after each reconnection. */
  onMessage(): void;
  onListening(): void;
  closing: AbortSignal;
  log: Logger;
}

/** Listens to a channel, an SQL identifier, and reconnects when the connection breaks. Settles once `closing` aborts. */
export async function listen(
  database: Database,
  channel: string,
  { onMessage, onListening, closing, log }: Listening,
): Promise<void> {
  const watch = watchConnection(log, 'postgres (listening)');
  for (let connection = 0; !closing.aborted; connection++) {
    const client = new pg.Client(poolOf(database).options);
    const over = new AbortController();
    const broken = new Promise<void>((resolve) => {
      client.on('error', (error) => {
        watch.failed(error);
        resolve();
      });
      client.on('end', () => resolve());
      closing.addEventListener('abort', () => resolve(), { signal: over.signal });
    });
    client.on('notification', () => onMessage());
    try {
      await client.connect();
      await client.query(`listen ${channel}`);
      watch.recovered();
      if (connection > 0) onMessage();
      onListening();
      await broken;
    } catch (error) {
      watch.failed(error);
    }
    over.abort();
    await client.end().catch(() => {}); // Already broken.
    await sleep(RECONNECT_MS, undefined, { signal: closing }).catch(() => {}); // Closing.
  }
}
