import { pino } from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { waitForDatabase } from '../../../core/database/wait-for-database.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

const log = pino({ level: 'silent' });
const signal = new AbortController().signal;

let database: TestDatabase;
beforeEach(async () => {
  database = await testDatabase();
});
afterEach(() => database.close());

it('prepares again where the database is lost meanwhile', async () => {
  const prepare = vi
    .fn<() => Promise<void>>()
    .mockRejectedValueOnce(new Error('Connection terminated due to connection timeout'));
  await waitForDatabase(database, log, { signal, prepare });
  expect(prepare).toHaveBeenCalledTimes(2);
});

it('does not where preparing fails for another reason', async () => {
  const prepare = vi.fn().mockRejectedValue(new RangeError('a newer version'));
  await expect(waitForDatabase(database, log, { signal, prepare })).rejects.toThrow('a newer version');
  expect(prepare).toHaveBeenCalledTimes(1);
});
