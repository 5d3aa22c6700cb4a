import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createEventLoop } from '../../../core/concurrency/event-loop.js';
import { openExchanges } from '../../../src/http/exchange.js';
import { closeServer, createApiServer, listen } from '../../../src/server.js';
import { startApi, type TestApi } from '../../support/api.js';
import { event } from '../../support/event.js';
import type { TestDatabase } from '../../support/postgres.js';
import { databaseWith, longHistory } from '../../support/rates.js';

const RAW_RANGE = '/v2/rates?from=2022-01-01&expand=providers';
const PLAIN_RANGE = '/v2/rates?from=1999-01-01';

let database: TestDatabase;
let api: TestApi;

beforeAll(async () => {
  database = await databaseWith(longHistory());
  api = await startApi(database, { clock: () => new Date('2026-03-20T18:00:00Z') });
});

afterAll(async () => {
  await api?.close();
  await database?.close();
});

/** Sends requests on one connection without waiting for a response, reads nothing, and hangs up. */
async function abandon(path: string, count: number, afterMs: number): Promise<void> {
  const { hostname, port } = new URL(api.url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.pause();
  socket.write(`GET ${path} HTTP/1.1\r\nhost: almanac\r\n\r\n`.repeat(count));
  await sleep(afterMs);
  socket.destroy();
}

async function idleInTransaction(): Promise<number> {
  const { rows } = await database.pool.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
     where datname = current_database() and state like 'idle in transaction%'`,
  );
  return rows[0]?.count ?? -1;
}

it('a connection that closes with pipelined requests releases all their resources', async () => {
  await Promise.all([1, 2, 3].map((part) => abandon(RAW_RANGE, 8, part * 200)));
  await expect.poll(idleInTransaction, { timeout: 10_000 }).toBe(0);
  for (const path of [`${RAW_RANGE}&to=2022-06-30`, '/v2/rates?date=2024-05-06&expand=providers']) {
    // The API responds with 503 where the store takes long, as it may on a busy machine.
    await vi.waitFor(
      async () => {
        const response = await fetch(`${api.url}${path}`, { signal: AbortSignal.timeout(10_000) });
        const body = await response.arrayBuffer();
        expect(response.status).toBe(200);
        expect(body.byteLength).toBeGreaterThan(1_000);
      },
      { timeout: 60_000, interval: 1_000 },
    );
  }
});

it('streams that wait behind another on their connection take no memory', async () => {
  await abandon(PLAIN_RANGE, 1, 300);
  globalThis.gc?.();
  const before = process.memoryUsage().arrayBuffers;
  const { hostname, port } = new URL(api.url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.pause();
  socket.write(`GET ${PLAIN_RANGE} HTTP/1.1\r\nhost: almanac\r\n\r\n`.repeat(200));
  await sleep(1_500);
  const grown = process.memoryUsage().arrayBuffers - before;
  socket.destroy();
  expect(grown / 2 ** 20).toBeLessThan(64);
});

it('forgets the requests that waited once their connection closes or they are answered', async () => {
  const held = event();
  const open = openExchanges({
    eventLoop: createEventLoop(),
    clientOf: () => 'test',
    isSecure: () => false,
    onEnd: () => undefined,
  });
  let opened = 0;
  const server = createApiServer((request, response) =>
    open(request, response, () => {
      opened++;
      void held.happened.then(() => response.end('done'));
    }),
  );
  const { hostname, port } = new URL(await listen(server, 0, '127.0.0.1'));
  const pipelined = async (count: number) => {
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    // What was not read is answered with a reset.
    socket.on('error', () => undefined);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write('GET / HTTP/1.1\r\nhost: almanac\r\n\r\n'.repeat(count));
    return { socket, closed };
  };
  try {
    // Some thousand may wait in all.
    for (let round = 0; round < 12; round++) {
      const before = opened;
      const { closed } = await pipelined(1_000);
      await vi.waitFor(() => expect(opened).toBeGreaterThan(before));
      server.closeAllConnections();
      await closed;
    }
    held.happen();
    for (let round = 0; round < 6; round++) {
      const { socket, closed } = await pipelined(1_000);
      let received = '';
      socket.setEncoding('latin1').on('data', (some: string) => {
        received += some;
        if (received.split('done').length > 1_000) socket.destroy();
      });
      await closed;
      expect(received.split('done')).toHaveLength(1_001);
    }
  } finally {
    await closeServer(server);
  }
});
