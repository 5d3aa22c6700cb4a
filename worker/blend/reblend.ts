import type pg from 'pg';
import { type Database, withTransaction } from '../../core/database/database.js';
import { appendVersion, lockData } from './data-version.js';
import { type OnProgress, recompute } from './recompute.js';
import type { Window } from './replace.js';

/**
 * Blends a window of days again, with its weeks and months, inside the caller's transaction. Returns the data
 * version that the change makes, undefined where the stored blends were right already. Other writers wait until
 * the transaction ends.
 */
export async function reblend(
  client: pg.PoolClient,
  window: Window,
  cause: { provider?: string } = {},
): Promise<bigint | undefined> {
  await lockData(client);
  const changed = await recompute(client, window);
  return changed && appendVersion(client, changed, cause.provider);
}

/**
 * Blends all history again, in one transaction: readers see the old blends until every new one is there. Returns
 * the data version, undefined where nothing changed.
 */
export async function rebuild(
  database: Pick<Database, 'pool'>,
  options: { onProgress?: OnProgress } = {},
): Promise<bigint | undefined> {
  return withTransaction(database.pool, async (client) => {
    await client.query('set local statement_timeout = 0');
    await lockData(client);
    const all = await wholeHistory(client);
    const changed = all && (await recompute(client, all, options.onProgress));
    return changed && appendVersion(client, changed, undefined);
  });
}

async function wholeHistory(client: pg.PoolClient): Promise<Window | undefined> {
  const { rows } = await client.query<{ from: string | null; to: string | null }>(
    `select least((select min(date) from rates), (select min(date) from blended_days)) as "from",
            greatest((select max(date) from rates), (select max(date) from blended_days)) as "to"`,
  );
  const from = rows[0]?.from;
  const to = rows[0]?.to;
  return from && to ? { from, to } : undefined;
}
