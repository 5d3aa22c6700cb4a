import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../../core/database/database.js';
import { openAnnouncements } from '../../../core/queues/announcements.js';
import { openSnapshotHolder } from '../../../src/rates/snapshot/snapshot-holder.js';
import { testDatabase } from '../../support/postgres.js';
import { someRates, storeRows } from '../../support/rates.js';
import { testRedis } from '../../support/redis.js';
import { log, stores } from './support.js';

// Longer than any test: what shows up before it was announced.
const NEVER_MS = 600_000;

describe.each(stores)('two APIs on one PostgreSQL, announced over $name', ({ redis, missing }) => {
  it.skipIf(missing)('both serve a new data version as soon as it is announced', async () => {
    const database = await testDatabase();
    const redisUrl = redis ? (await testRedis()).url : undefined;
    const api = async () => {
      const own = openDatabase(database.url);
      const announcements = await openAnnouncements({ database: own, redisUrl, log });
      let subscribed: Promise<void> | undefined;
      const snapshot = openSnapshotHolder({
        database: own,
        announcements: {
          subscribe(listener) {
            subscribed = announcements.subscribe(listener);
            return subscribed;
          },
        },
        log,
        pollMs: NEVER_MS,
      });
      await Promise.all([snapshot.ready(), subscribed]);
      return {
        snapshot,
        async close() {
          await snapshot.close();
          await announcements.close();
          await own.close();
        },
      };
    };
    const apis = [await api(), await api()];
    const worker = await openAnnouncements({ database, redisUrl, log });
    try {
      await storeRows(database, someRates('2026-03-18'));
      const { rows } = await database.pool.query<{ newest: string }>(
        'select max(version)::text as newest from data_versions',
      );
      const newest = BigInt(rows[0]?.newest ?? 0);
      await sleep(200);
      // Nothing was announced yet, and nobody polls.
      expect(apis.map(({ snapshot }) => snapshot.current()?.dataVersion)).toEqual([0n, 0n]);
      const announced = performance.now();
      await worker.publish(newest);
      await expect
        .poll(() => apis.map(({ snapshot }) => snapshot.current()?.dataVersion), {
          interval: 5,
          timeout: 10_000,
        })
        .toEqual([newest, newest]);
      expect(performance.now() - announced).toBeLessThan(20_000);
    } finally {
      await worker.close();
      for (const { close } of apis) await close();
      await database.close();
    }
  });

  it.skipIf(missing)('a version whose announcement is lost is found by looking', async () => {
    const database = await testDatabase();
    const snapshot = openSnapshotHolder({ database, log, pollMs: 100 });
    try {
      await snapshot.ready();
      await storeRows(database, someRates('2026-03-19'));
      await expect.poll(() => snapshot.current()?.dataVersion, { timeout: 10_000 }).toBeGreaterThan(0n);
    } finally {
      await snapshot.close();
      await database.close();
    }
  });
});
