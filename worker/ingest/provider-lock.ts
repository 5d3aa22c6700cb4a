import pg from 'pg';
import type { Database } from '../../core/database/database.js';

/** One ingest of a provider at a time, over all workers and machines. */
export interface ProviderLock {
  /** Throws where the lock's connection has broken, as another may hold the provider by now. */
  check(): void;
  release(): Promise<void>;
}

/** Another worker is at this provider. */
export class ProviderBusy extends Error {
  override readonly name = 'ProviderBusy';

  constructor(provider: string) {
    super(`${provider} is being ingested by another job`);
  }
}

// First half of the advisory lock's key; the second is the provider's hash. A collision of two providers would
// only make one wait for the other.
const LOCKS = 72_707_370;

/**
 * Takes the provider's advisory lock on a connection of its own, so that PostgreSQL gives it back by itself the
 * moment the process dies. Throws ProviderBusy where another session holds it.
 */
export async function lockProvider(
  database: Pick<Database, 'pool'>,
  provider: string,
): Promise<ProviderLock> {
  const client = new pg.Client({ ...database.pool.options, keepAlive: true });
  let broken: Error | undefined;
  client.on('error', (error) => {
    broken = error;
  });
  client.on('end', () => {
    broken ??= new Error('the connection ended');
  });
  await client.connect();
  try {
    // A machine that vanishes without a word must not hold its provider for the hours that TCP would wait.
    await client.query(
      'set tcp_keepalives_idle = 30; set tcp_keepalives_interval = 10; set tcp_keepalives_count = 3',
    );
    const { rows } = await client.query<{ taken: boolean }>(
      'select pg_try_advisory_lock($1, hashtext($2)) as taken',
      [LOCKS, provider],
    );
    if (rows[0]?.taken !== true) throw new ProviderBusy(provider);
  } catch (error) {
    await client.end();
    throw error;
  }
  return {
    check() {
      if (broken) throw new Error(`lost the lock on ${provider}`, { cause: broken });
    },
    release: () => client.end(),
  };
}
