import { MessagePort } from 'node:worker_threads';
import { expect, test, vi } from 'vitest';
import { columnsOf } from '../../../core/columns/columns.js';
import { WaitTooLong } from '../../../core/concurrency/semaphore.js';
import { LITTLE } from '../../../src/http/admission.js';
import type { Exchange } from '../../../src/http/exchange.js';
import type { WholeSnapshot } from '../../../src/rates/snapshot/snapshot.js';
import { openRenderThread } from '../../support/render-thread.js';
import { exchangeOf } from '../http/support.js';
import type { Echo, EchoInput } from './echo-thread.js';

test('the thread gets each data version once, also while it makes another content', async () => {
  const entry = 'test/src/rendering/echo-thread.js';
  const { threads } = await openRenderThread('', { entry });
  const empty = columnsOf([]);
  const columns = { days: empty, weeks: empty, months: empty };
  const snapshotOf = (version: string): WholeSnapshot => ({
    ...{ ...columns, version, dataVersion: 0n, changes: [], knownAt: 0 },
  });
  const make = async (client: Exchange, version: string, input: EchoInput = {}) => {
    const validity = { cacheControl: 'no-store' } as const;
    const task = { maker: '', input, snapshot: snapshotOf(version), validity, cost: LITTLE };
    return JSON.parse(String((await threads.make(task, client)).body)) as Echo;
  };
  const echo = async (version: string) => {
    const client = exchangeOf('a');
    return (await make(client, version).finally(() => client.end('finished'))).isGiven;
  };
  const waiting = exchangeOf('b');
  const held = make(waiting, '1', { isHeld: true });
  const given: boolean[] = [];
  for (const version of ['1', '2', '2', '1', '1']) given.push(await echo(version));
  expect(given).toEqual([false, true, false, true, false]);
  waiting.end('aborted');
  await expect(held).rejects.toMatchObject({ name: 'AbortError' });
  await threads.close();
});

test('a client waits for a thread only as long as it may, and no port is left open', async () => {
  const { threads } = await openRenderThread('', { entry: 'test/src/rendering/echo-thread.js' });
  const close = vi.spyOn(MessagePort.prototype, 'close');
  const validity = { cacheControl: 'no-store' } as const;
  const task = { maker: '', input: { isHeld: true }, snapshot: undefined, validity, cost: LITTLE };
  const clients = ['a', 'b'].map((name) => exchangeOf(name));
  const held = Promise.allSettled(clients.map(async (client) => threads.make(task, client)));
  const { signal } = new AbortController();
  // As for a body that several requests wait for: it tells only when all have left.
  const waiter = { client: 'c', signal, waitBudget: { leftMs: 20 }, whenOver: () => undefined };
  await expect(threads.make(task, waiter)).rejects.toBeInstanceOf(WaitTooLong);
  expect(close).toHaveBeenCalledTimes(1);
  for (const client of clients) client.end('aborted');
  for (const each of await held) expect(each).toMatchObject({ reason: { name: 'AbortError' } });
  close.mockClear();
  await threads.make({ ...task, input: {} }, { ...waiter, waitBudget: { leftMs: 10_000 } });
  expect(close).toHaveBeenCalledTimes(1);
  close.mockRestore();
  await threads.close();
});
