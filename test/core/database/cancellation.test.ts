import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { expect, it, vi } from 'vitest';
import { cancelOnAbort, requestCancel } from '../../../core/database/cancellation.js';
import { openDatabase, poolOf } from '../../../core/database/database.js';
import { newFolder, ownDatabase, rowsOf } from '../support.js';

const database = await ownDatabase();

/** A program's database, and what cancels its queries. */
function openStoppable(connections: number) {
  const stopped = openDatabase(database.url, { connections });
  const stopping = new AbortController();
  const sleep = (seconds: number) => poolOf(stopped).query(`select pg_sleep(${seconds})`);
  return { stopped, stopping, sleep, cancellation: cancelOnAbort(stopped, stopping.signal) };
}

const sessions = () =>
  rowsOf(
    database,
    `select state from pg_stat_activity where datname = current_database() and query = 'select pg_sleep(300)'`,
  );

it('what a program runs when it is asked to stop is cancelled, and what it begins then, until it is released', async () => {
  const { stopped, stopping, sleep, cancellation } = openStoppable(2);
  const running = [sleep(300), sleep(300)].map((query) => query.catch((error: unknown) => error));
  await expect.poll(sessions).toEqual([['active'], ['active']]);
  stopping.abort();
  for (const query of running) expect(await query).toMatchObject({ code: '57014' });
  await expect(sleep(300)).rejects.toMatchObject({ code: '57014' });
  cancellation.release();
  // A request that was under way may still come.
  await expect.poll(() => sleep(0.3).catch(() => undefined)).toBeDefined();
  await stopped.close();
  // Not by its time limit, but because the server has ended them.
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  await cancellation.closed().finally(() => vi.useRealTimers());
  expect(await sessions()).toEqual([]);
});

it('nothing is cancelled once it is released, or where nothing runs', async () => {
  const { stopped, stopping, sleep, cancellation } = openStoppable(1);
  await cancellation.closed();
  cancellation.release();
  const running = sleep(0.3);
  await once(poolOf(stopped), 'acquire');
  stopping.abort();
  expect((await running).rowCount).toBe(1);
  await stopped.close();
});

it('a request reaches a server on a socket in a folder, from a connection whose key is known', async () => {
  const folder = await newFolder();
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
  }
});
