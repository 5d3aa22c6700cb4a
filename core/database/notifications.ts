import { once } from 'node:events';
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
    client.on('error', watch.failed);
    const over = once(client, 'end', { signal: closing }).catch(() => {}); // Broken, or closing.
    client.on('notification', () => onMessage());
    try {
      await client.connect();
      await client.query(`listen ${channel}`);
      watch.recovered();
      if (connection > 0) onMessage();
      onListening();
      await over;
    } catch (error) {
      watch.failed(error);
    }
    await client.end().catch(() => {}); // Already broken.
    await sleep(RECONNECT_MS, undefined, { signal: closing }).catch(() => {}); // Closing.
  }
}
