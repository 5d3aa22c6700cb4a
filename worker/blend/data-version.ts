import type pg from 'pg';
import type { Window } from './replace.js';

// Any constant that nothing else in the database takes as its advisory lock.
const LOCK = 2_119_770_401;

/**
 * Makes this transaction the only one that changes rates or blends, until it ends. A blend must see the rows of
 * every writer before it, and versions must be committed in their order, so it is taken before anything is read.
 */
export async function lockData(client: pg.PoolClient): Promise<void> {
  await client.query('select pg_advisory_xact_lock($1)', [LOCK]);
}

/** Appends the version that this transaction makes: the days that changed, and by whose rows where it was one. */
export async function appendVersion(
  client: pg.PoolClient,
  changed: Window,
  provider: string | undefined,
): Promise<bigint> {
  const { rows } = await client.query<{ version: string }>(
    'insert into data_versions (changed_from, changed_to, provider) values ($1, $2, $3) returning version',
    [changed.from, changed.to, provider ?? null],
  );
  return BigInt(rows[0]?.version ?? 0);
}
