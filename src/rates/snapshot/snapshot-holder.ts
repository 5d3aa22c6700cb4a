import type { PoolClient } from 'pg';
import type { Database } from '../../../core/database/database.js';
import { openRefreshingHolder, type RefreshingHolder, type RefreshOptions } from '../../refreshing-holder.js';
import { loadSnapshot, refreshSnapshot, type Snapshot } from './snapshot.js';

/** Holds the newest snapshot of the rates, also while the database can't be reached. */
export type SnapshotHolder = RefreshingHolder<Snapshot>;

export interface SnapshotHolderOptions extends RefreshOptions {
  database: Pick<Database, 'pool'>;
}

const POLL_MS = 15_000;
const RETRY_MS = 500;

/** Starts reading at once, and goes on by announcement and by poll until closed. */
export function openSnapshotHolder({ database, ...options }: SnapshotHolderOptions): SnapshotHolder {
  return openRefreshingHolder({
    what: 'rates',
    pollMs: POLL_MS,
    retryMs: RETRY_MS,
    ...options,
    async read(held: Snapshot | undefined) {
      const started = performance.now();
      const snapshot = await inOneView(database, (client) =>
        held ? refreshSnapshot(client, held) : loadSnapshot(client),
      );
      if (snapshot !== held) {
        const { version, days } = snapshot;
        const ms = Math.round(performance.now() - started);
        options.log.info({ version, days: days.days.length, ms }, 'rates snapshot read');
      }
      return snapshot;
    },
  });
}

/** Runs reads in one transaction that sees one moment of the database. */
export async function inOneView<T>(
  database: Pick<Database, 'pool'>,
  work: (client: PoolClient) => Promise<T>,
): Promise<T> {
  const client = await database.pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('begin isolation level repeatable read read only');
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (error) {
    broken = error instanceof Error ? error : new Error(String(error));
    throw error;
  } finally {
    client.release(broken);
  }
}
