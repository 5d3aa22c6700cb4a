import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { waitForQueues } from '../../../core/queues/wait-for-queues.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';
import { openLog } from '../../worker/ingest/support.js';

const NOWHERE = 'postgres://nobody@127.0.0.1:1/none';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database?.close());

const never = new AbortController().signal;

it('waits for the server of the queues, and says so once for each reason', async () => {
  const { log, lines } = openLog();
  let attempts = 0;
  const store = {
    /** The server is there at the third attempt. */
    get databaseUrl() {
      return ++attempts > 2 ? database.url : NOWHERE;
    },
  };
  const queues = await waitForQueues(store, log, never);
  expect(await queues.ingest.getJobCountByTypes('waiting')).toBe(0);
  await queues.close();
  expect(lines).toMatchObject([
    { level: 40, msg: 'waiting for the queues', reason: expect.stringContaining('ECONNREFUSED') },
  ]);
});

it('ends where waiting does not help, and where it is to stop', async () => {
  const { log, lines } = openLog();
  await database.pool.query('drop schema if exists bullmq cascade');
  const store = { databaseUrl: database.url, migrate: false };
  await expect(waitForQueues(store, log, never)).rejects.toThrow('MIGRATE is off');
  expect(lines).toEqual([]);

  const stopping = new AbortController();
  const waiting = waitForQueues({ databaseUrl: NOWHERE }, log, stopping.signal);
  await vi.waitFor(() => expect(lines).toHaveLength(1));
  stopping.abort(new Error('it is to stop'));
  await expect(waiting).rejects.toThrow('it is to stop');
});
