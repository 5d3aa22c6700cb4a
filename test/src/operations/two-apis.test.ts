import { describe, expect, it, onTestFinished } from 'vitest';
import { openSnapshotHolder } from '../../../src/rates/snapshot/snapshot-holder.js';
import { testDatabase } from '../../support/postgres.js';
import { someRates, storeRows } from '../../support/rates.js';
import { testAnnouncements } from './both-stores.js';
import { log } from './support.js';

describe('announcements through PostgreSQL', () => testAnnouncements(false));

it('an API finds a version whose announcement is lost by looking', async () => {
  const database = await testDatabase();
  const snapshot = openSnapshotHolder({ database, log, pollMs: 100 });
  onTestFinished(snapshot.close);
  await snapshot.ready();
  await storeRows(database, someRates('2026-03-19'));
  await expect.poll(() => snapshot.current()?.dataVersion).toBeGreaterThan(0n);
});
