import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { openDatabase } from '../../core/database/database.js';
import { lockProvider, ProviderBusy } from '../../core/database/locks.js';
import { pgBouncerMissing, startPgBouncer } from '../support/pgbouncer.js';
import { emptyDatabase, type TestDatabase } from '../support/postgres.js';
import { redisMissing, testRedis } from '../support/redis.js';
import { buildService, type Service, startService } from '../support/service.js';
import { cli } from '../worker/cli/support.js';

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
      service = startService({ ...variables, BOOTSTRAP: 'on' });
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
