import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { requestCancel } from '../../../core/database/cancel-request.js';
import { cancelOnAbort } from '../../../core/database/cancellation.js';
import { type Database, openDatabase, poolOf } from '../../../core/database/database.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';
import { temporaryFolder } from '../../support/postgres-server.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const sleep = (stopped: Database) => poolOf(stopped).query('select pg_sleep(300)');
const sessions = async () => {
  const { rows } = await database.pool.query(
    `select state from pg_stat_activity where datname = current_database() and query = 'select pg_sleep(300)'`,
  );
  return rows.map(({ state }) => state);
};

it('what a program runs when it is asked to stop is cancelled, and what it begins then, until it is released', async () => {
  const stopped = openDatabase(database.url, { connections: 2 });
  const stopping = new AbortController();
  const cancellation = cancelOnAbort(stopped, stopping.signal);
  const running = [sleep(stopped), sleep(stopped)].map((query) => query.catch((error: unknown) => error));
  await expect.poll(sessions).toEqual(['active', 'active']);
  stopping.abort();
  for (const query of running) expect(await query).toMatchObject({ code: '57014' });
  await expect(sleep(stopped)).rejects.toMatchObject({ code: '57014' });
  cancellation.release();
  // A request that was under way may still come.
  const slept = () => poolOf(stopped).query('select pg_sleep(0.3)');
  await expect.poll(() => slept().catch(() => undefined)).toBeDefined();
  await stopped.close();
  // Not by its time limit, but because the server has ended them.
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  await cancellation.closed().finally(() => vi.useRealTimers());
  expect(await sessions()).toEqual([]);
});

it('nothing is cancelled once it is released, or where nothing runs', async () => {
  const stopped = openDatabase(database.url, { connections: 1 });
  const stopping = new AbortController();
  const cancellation = cancelOnAbort(stopped, stopping.signal);
  await cancellation.closed();
  cancellation.release();
  const running = poolOf(stopped).query('select pg_sleep(0.3)');
  await once(poolOf(stopped), 'acquire');
  stopping.abort();
  expect((await running).rowCount).toBe(1);
  await stopped.close();
});

it('a request reaches a server on a socket in a folder, from a connection that the server has told its key', async () => {
  const folder = await temporaryFolder();
  const server = createServer().listen(join(folder, '.s.PGSQL.5433'));
  await once(server, 'listening');
  try {
    const client = new pg.Client({ host: folder, port: 5433 });
    requestCancel(client);
    const connected = once(server, 'connection') as Promise<[Socket]>;
    requestCancel(Object.assign(client, { processID: 7, secretKey: -9 }));
    const [socket] = await connected;
    const [bytes] = (await once(socket, 'data')) as [Buffer];
    expect([0, 4, 8, 12].map((at) => bytes.readInt32BE(at))).toEqual([16, 80_877_102, 7, -9]);
    socket.end();
  } finally {
    server.close();
    await rm(folder, { recursive: true });
  }
});
