import { expect, it, onTestFinished } from 'vitest';
import { openAnnouncements } from '../../../core/queues/announcements.js';
import { openSnapshotHolder } from '../../../src/rates/snapshot/snapshot-holder.js';
import { testDatabase } from '../../support/postgres.js';
import { someRates, storeRows } from '../../support/rates.js';
import { log } from './support.js';

/** Longer than any test. */
const NEVER_MS = 600_000;

it('two APIs serve a new data version as soon as it is announced', async () => {
  const database = await testDatabase();
  const announcements = await openAnnouncements({ database, log });
  onTestFinished(() => announcements.close());
  const apis = [1, 2].map(() => openSnapshotHolder({ database, announcements, log, pollMs: NEVER_MS }));
  onTestFinished(async () => void (await Promise.all(apis.map((snapshot) => snapshot.close()))));
  await Promise.all(apis.map((snapshot) => snapshot.ready()));
  await storeRows(database, someRates('2026-03-18'));
  const newest = BigInt((await database.pool.query('select max(version) from data_versions')).rows[0].max);
  const versions = async () => {
    // They may not listen yet.
    await announcements.publish(newest);
    return apis.map((snapshot) => snapshot.current()?.dataVersion);
  };
  await expect.poll(versions).toEqual([newest, newest]);
});

it('an API finds a version whose announcement is lost by looking', async () => {
  const database = await testDatabase();
  const snapshot = openSnapshotHolder({ database, log, pollMs: 100 });
  onTestFinished(snapshot.close);
  await snapshot.ready();
  await storeRows(database, someRates('2026-03-19'));
  await expect.poll(() => snapshot.current()?.dataVersion).toBeGreaterThan(0n);
});
