import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { cancelOnAbort } from '../../../core/database/cancellation.js';
import { openDatabase, poolOf } from '../../../core/database/database.js';
import { lockProvider, ProviderBusy } from '../../../core/database/locks.js';
import { sql } from '../../../core/database/sql.js';
import { inTransaction } from '../../../core/database/transactions.js';
import { pgBouncerMissing, startPgBouncer } from '../../support/pgbouncer.js';
import { emptyDatabase, type TestDatabase } from '../../support/postgres.js';
import { redisMissing, testRedis } from '../../support/redis.js';
import { buildService, buildWithFewRates, type Service, startService } from '../../support/service.js';
import { cli } from '../../worker/cli/support.js';

describe.skipIf(redisMissing ?? pgBouncerMissing).each(['session', 'transaction'] as const)(
  'behind PgBouncer, a connection for each %s',
  (mode) => {
    let database: TestDatabase;
    let bouncer: Awaited<ReturnType<typeof startPgBouncer>>;
    let service: Service | undefined;
    beforeEach(async () => {
      [database, bouncer] = await Promise.all([
        emptyDatabase(),
        startPgBouncer(inject('templateUrl'), mode),
        buildService(),
      ]);
    });
    afterEach(async () => {
      service?.process.kill('SIGTERM');
      await service?.ended;
      await bouncer.close();
      await database.close();
    });

    it('the service migrates, loads, serves, and its commands work', async () => {
      const variables = { DATABASE_URL: bouncer.urlOf(database.url), REDIS_URL: (await testRedis()).url };
      service = startService({ ...variables, BOOTSTRAP: 'on' }, await buildWithFewRates());
      const url = await service.listening;
      const rates = async () =>
        (await (await fetch(`${url}/v2/rates`)).json()) as { quote: string; rate: number }[];
      await vi.waitFor(async () => expect((await rates()).length).toBeGreaterThan(100), {
        timeout: 120_000,
        interval: 500,
      });
      await vi.waitFor(async () =>
        expect(await (await fetch(`${url}/health/ready`)).json()).toMatchObject({
          status: 'ready',
          queue: 'up',
        }),
      );

      const csv = 'provider,date,base,quote,rate\nNB,2026-03-02,USD,NOK,9.87654\n';
      expect(await cli(['rates', 'import', '-'], { variables, stdin: csv })).toMatchObject({ code: 0 });
      // The service hears of it.
      await vi.waitFor(
        async () =>
          expect(
            await (await fetch(`${url}/v2/rates?providers=NB&date=2026-03-02&base=USD&quotes=NOK`)).json(),
          ).toMatchObject([{ rate: 9.87654 }]),
        { timeout: 30_000, interval: 200 },
      );
      const [through, past] = await Promise.all(
        [variables, { DATABASE_URL: database.url }].map((given) =>
          cli(['rates', 'export'], { variables: given }),
        ),
      );
      expect(through).toMatchObject({ code: 0, stdout: past?.stdout });
      expect(await cli(['blend', 'rebuild'], { variables })).toMatchObject({ code: 0 });
      expect((await cli(['digest'], { variables })).stdout).toBe(
        (await cli(['digest'], { variables: { DATABASE_URL: database.url } })).stdout,
      );
      expect(service.output()).not.toMatch(/"level":[56]0/);
    });

    it('a command that is stopped cancels what it runs, and nothing else', async () => {
      const [stopped, other] = [1, 2].map(() => openDatabase(bouncer.urlOf(database.url)));
      if (!stopped || !other) throw new Error('no databases');
      const sleeping = async () =>
        (
          await database.pool.query(
            `select from pg_stat_activity where datname = current_database() and query like 'select pg_sleep%' and state = 'active'`,
          )
        ).rowCount;
      const stopping = new AbortController();
      const cancellation = cancelOnAbort(stopped, stopping.signal);
      const longer = poolOf(other)
        .query('select pg_sleep(300)')
        .catch((error: unknown) => error);
      const running = inTransaction(stopped, (transaction) => transaction.execute(sql`select pg_sleep(300)`));
      running.catch(() => undefined); // Awaited below.
      await vi.waitFor(async () => expect(await sleeping()).toBe(2), { timeout: 30_000 });
      stopping.abort();
      await expect(running).rejects.toMatchObject({ code: '57014' });
      cancellation.release();
      await stopped.close();
      await cancellation.closed();
      expect(await sleeping()).toBe(1);
      await database.pool.query(
        `select pg_cancel_backend(pid) from pg_stat_activity where query like 'select pg_sleep(300)%' and datname = current_database()`,
      );
      expect(await longer).toMatchObject({ code: '57014' });
      await other.close();
    });

    it('a provider is ingested by one session at a time, and every session has its limits', async () => {
      const through = openDatabase(bouncer.urlOf(database.url));
      try {
        const held = await lockProvider(through, 'ECB');
        await expect(lockProvider(through, 'ECB')).rejects.toBeInstanceOf(ProviderBusy);
        const other = await lockProvider(through, 'BOC');
        held.check();
        await held.release();
        await vi.waitFor(async () => (await lockProvider(through, 'ECB')).release());
        await other.release();
      } finally {
        await through.close();
      }
    });
  },
);
