import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { share } from '../../../core/queues/enqueue.js';
import { closeWorker, openQueues, openWorker, waitForQueues } from '../../../core/queues/queues.js';
import { openProxy } from '../../support/tcp-proxy.js';
import { openLog } from '../../worker/ingest/support.js';
import { ownDatabase } from '../support.js';
import { queueCases } from './queue-cases.js';

const NOWHERE = { databaseUrl: 'postgres://nobody@127.0.0.1:1/none' };
/** PostgreSQL's message before it ends a connection: https://www.postgresql.org/docs/current/protocol-error-fields.html. */
const FATAL = Buffer.from('E\0\0\0\x1aSFATAL\0C57P01\0Mended\0\0');
const never = new AbortController().signal;
const database = await ownDatabase();
const store = { databaseUrl: database.url };

describe('on PostgreSQL', () => queueCases(async () => store));

it('a text has always the same share of a span', () => {
  expect(share('ECB')).toBe(share('ECB'));
  const shares = Array.from({ length: 1_000 }, (_, index) => share(String(index)));
  for (const one of shares) expect(one >= 0 && one < 1).toBe(true);
  const half = shares.filter((one) => one < 0.5).length;
  expect([half > 400, half < 600]).toEqual([true, true]);
});

it('a worker takes over the jobs of dead ones, and waits longer from attempt to attempt, up to an hour', async () => {
  const worker = openWorker('blend', store, async () => ({}), { log: openLog().log, concurrency: 3 });
  const { backoffStrategy, ...others } = worker.opts.settings ?? {};
  await closeWorker(worker);
  expect(others).toEqual({});
  expect(worker.opts).toMatchObject({
    ...{ concurrency: 3, lockDuration: 30_000, stalledInterval: 15_000 },
    ...{ maxStalledCount: 3, runRetryDelay: 1_000 },
  });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100 }), (attempts) => {
      const longest = Math.min(15_000 * 2 ** attempts, 3_600_000);
      const delays = Array.from({ length: 20 }, () => Number(backoffStrategy?.(attempts)));
      expect(delays.every(Number.isInteger)).toBe(true);
      expect(Math.min(...delays)).toBeGreaterThanOrEqual(longest / 2);
      expect(Math.max(...delays)).toBeLessThanOrEqual(longest);
      expect(Math.max(...delays) - Math.min(...delays)).toBeGreaterThan(longest / 20);
    }),
    { examples: [[1], [7], [8]] },
  );
});

it.each(['closes in time', 'never closes', 'fails to close'])('a worker that %s is let go', async (how) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const disconnect = vi.fn(() => Promise.reject(new Error('no connection')));
  const close = vi.fn(async () => {
    if (how === 'never closes') await new Promise(() => {});
    if (how === 'fails to close') throw new Error('can not close');
  });
  const closed = closeWorker({ close, disconnect }).catch((error: Error) => error.message);
  await vi.advanceTimersByTimeAsync(6_999);
  expect([close.mock.calls.length, disconnect.mock.calls.length]).toEqual([1, 0]);
  await vi.advanceTimersByTimeAsync(1);
  expect(disconnect).toHaveBeenCalledTimes(how === 'never closes' ? 1 : 0);
  expect(await closed).toBe(how === 'fails to close' ? 'can not close' : undefined);
});

it('tables for queues are waited for where they may not be made', async () => {
  const { log, lines } = openLog();
  await database.pool.query('drop schema if exists bullmq cascade');
  const url = new URL(store.databaseUrl);
  url.searchParams.set('options', '-c default_transaction_read_only=on');
  const waiting = waitForQueues({ ...store, databaseUrl: url.toString() }, log, never);
  const reason = expect.stringContaining('lacks tables of the queues, and its user may not create it');
  await vi.waitFor(() => expect(lines).toMatchObject([{ msg: 'waiting for the queues', reason }]));
  await (await openQueues(store, { log })).close();
  await (await waiting).close();
});

it('the server of the queues is waited for, which the log says once for each reason', async () => {
  const { log, lines } = openLog();
  let attempts = 0;
  const late = {
    /** The server is there at the third attempt. */
    get databaseUrl() {
      return ++attempts > 2 ? database.url : NOWHERE.databaseUrl;
    },
  };
  const queues = await waitForQueues(late, log, never);
  expect(await queues.ingest.getJobCountByTypes('waiting')).toBe(0);
  await queues.close();
  const reason = expect.stringContaining('ECONNREFUSED');
  expect(lines).toMatchObject([{ level: 40, msg: 'waiting for the queues', reason }]);
});

it('waiting for the queues ends where the program is to stop', async () => {
  const { log, lines } = openLog();
  const stopping = new AbortController();
  const waiting = waitForQueues(NOWHERE, log, stopping.signal);
  await vi.waitFor(() => expect(lines).toHaveLength(1));
  stopping.abort(new Error('it is to stop'));
  await expect(waiting).rejects.toThrow('it is to stop');
});

it('a connection that PostgreSQL ends as soon as it is ready fails what needs it, and not the program', async () => {
  const { log } = openLog();
  await (await openQueues(store, { log })).close();
  // The first connection prepares the tables.
  const queues = openQueues(await storeThatEnds({ from: 2, to: 9 }), { log });
  await expect(queues).rejects.toThrow('connection error');

  // The first one of a worker shows that it is ready, and the next one listens.
  const done = vi.fn<() => void>();
  const work = async () => done() as never;
  const worker = openWorker('ingest', await storeThatEnds({ from: 2, to: 4 }), work, { log, concurrency: 1 });
  const { ingest, close } = await openQueues(store, { log });
  await ingest.add('ingest', { provider: 'ECB', from: '2026-03-02', reason: 'operator' });
  await vi.waitFor(() => expect(done).toHaveBeenCalled(), 20_000);
  await Promise.all([closeWorker(worker), close()]);
});

/** Connections in this range are ended by the packet that reports them ready, as a crash of PostgreSQL may do. */
async function storeThatEnds({ from, to }: { from: number; to: number }) {
  const { url } = await openProxy(database.url, (upstream, client, connection) => {
    if (connection < from || connection > to) return upstream.pipe(client);
    return upstream.on('data', (bytes) => {
      if (!bytes.includes('Z\0\0\0\x05')) return client.write(bytes);
      client.end(Buffer.concat([bytes, FATAL]));
      return upstream.destroy();
    });
  });
  return { databaseUrl: url };
}
