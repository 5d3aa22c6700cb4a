import { Redis } from 'ioredis';
import { expect, inject, it, onTestFinished, vi } from 'vitest';
import { endOnAbort } from '../../../core/database/cancellation.js';
import { openDatabase, poolOf } from '../../../core/database/database.js';
import { lockProvider, ProviderBusy } from '../../../core/database/locks.js';
import { sql } from '../../../core/database/sql.js';
import { inBulkTransaction } from '../../../core/database/transactions.js';
import { pgBouncerMissing, startPgBouncer } from '../../support/pgbouncer.js';
import { emptyDatabase } from '../../support/postgres.js';
import { redisMissing, testRedis } from '../../support/redis.js';
import { buildWithFewRates, startService } from '../../support/service.js';
import { cli } from '../../worker/cli/support.js';
import { endWithTest, rowsOf } from '../support.js';

/** An empty database, and its URL through PgBouncer. */
async function open(mode: 'session' | 'transaction') {
  const bouncer = await startPgBouncer(inject('templateUrl'), mode);
  onTestFinished(() => bouncer.close());
  const database = await emptyDatabase();
  onTestFinished(() => database.close());
  return { database, url: bouncer.urlOf(database.url) };
}

it.skipIf(pgBouncerMissing).each(['session', 'transaction'] as const)(
  'behind PgBouncer, a connection for each %s, what is stopped is cancelled, and a provider is locked',
  async (mode) => {
    const { database, url } = await open(mode);
    const [stopped, other] = [openDatabase(url), openDatabase(url)];
    const sleeping = `select pid from pg_stat_activity
      where datname = current_database() and query like 'select pg_sleep%' and state = 'active'`;
    const stopping = new AbortController();
    endOnAbort(stopped, stopping.signal);
    const longer = poolOf(other)
      .query('select pg_sleep(300)')
      .catch((error: unknown) => error);
    const running = inBulkTransaction(stopped, (transaction) =>
      transaction.execute(sql`select pg_sleep(300)`),
    );
    running.catch(() => undefined); // Awaited below.
    await vi.waitFor(async () => expect(await rowsOf(database, sleeping)).toHaveLength(2));
    stopping.abort();
    await expect(running).rejects.toThrow();
    await stopped.close();
    const left = () => rowsOf(database, sleeping);
    await expect.poll(left, { timeout: 5_000 }).toHaveLength(1);
    const [[pid] = []] = await left();
    await database.pool.query('select pg_cancel_backend($1)', [pid]);
    expect(await longer).toMatchObject({ code: '57014' });

    const held = await lockProvider(other, 'ECB');
    await expect(lockProvider(other, 'ECB')).rejects.toBeInstanceOf(ProviderBusy);
    const second = await lockProvider(other, 'BOC');
    held.check();
    await held.release();
    await vi.waitFor(async () => (await lockProvider(other, 'ECB')).release());
    await second.release();
    await other.close();
  },
);

it.skipIf(pgBouncerMissing ?? redisMissing)('the service works behind PgBouncer, and commands', async () => {
  // A session of its own gives a program all that a transaction of its own does.
  const { database, url: DATABASE_URL } = await open('transaction');
  const variables = { DATABASE_URL, REDIS_URL: (await testRedis()).url };
  const service = endWithTest(startService({ ...variables, BOOTSTRAP: 'on' }, await buildWithFewRates()));
  const url = await service.listening;
  const read = async (path: string) => (await fetch(`${url}${path}`)).json();
  await vi.waitFor(async () => expect(((await read('/v2/rates')) as unknown[]).length).toBeGreaterThan(100));
  const ready = { status: 'ready', queue: 'up' };
  await vi.waitFor(async () => expect(await read('/health/ready')).toMatchObject(ready));

  const run = (words: string, given: Record<string, string> = variables, stdin = '') =>
    cli(words.split(' '), { variables: given, stdin });
  const csv = 'provider,date,base,quote,rate\nNB,2026-03-02,USD,NOK,9.87654\n';
  expect(await run('rates import -', variables, csv)).toMatchObject({ code: 0 });
  // The service hears of it.
  const imported = '/v2/rates?providers=NB&date=2026-03-02&base=USD&quotes=NOK';
  await vi.waitFor(async () => expect(await read(imported)).toMatchObject([{ rate: 9.87654 }]));
  expect(await run('blend rebuild')).toMatchObject({ code: 0 });
  for (const words of ['rates export', 'digest']) {
    const { stdout } = await run(words, { DATABASE_URL: database.url });
    expect(await run(words)).toMatchObject({ code: 0, stdout });
  }
  expect(service.output()).not.toMatch(/"level":[56]0/);
  const client = new Redis(variables.REDIS_URL);
  onTestFinished(() => client.disconnect());
  await vi.waitFor(async () => {
    const kinds = (await client.keys('*')).map((key) => key.split(':')[1]);
    expect(kinds).toEqual(expect.arrayContaining(['ingest', 'limit']));
  });
});
