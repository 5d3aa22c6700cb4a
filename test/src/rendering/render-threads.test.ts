import { MessagePort } from 'node:worker_threads';
import { expect, test, vi } from 'vitest';
import { columnsOf } from '../../../core/columns/columns.js';
import { WaitTooLong } from '../../../core/concurrency/semaphore.js';
import { LITTLE } from '../../../src/http/admission.js';
import type { Exchange } from '../../../src/http/exchange.js';
import { blendsOf, type WholeSnapshot } from '../../../src/rates/snapshot/snapshot.js';
import { openRenderThread } from '../../support/render-thread.js';
import { exchangeOf } from '../http/support.js';
import type { Echo, EchoInput } from './echo-thread.js';

const validity = { cacheControl: 'no-store' } as const;
test('the thread gets each data version once, also if a client leaves while it starts', async () => {
  const { threads } = await openRenderThread('', { entry: 'test/src/rendering/echo-thread.js' });
  const empty = blendsOf(columnsOf([]));
  const snapshotOf = (version: string): WholeSnapshot => ({
    ...{ ...empty, version, dataVersion: 0n, knownAt: 0 },
  });
  const make = async (client: Exchange, version: string, input: EchoInput = {}): Promise<Echo> => {
    const task = { maker: '', input, snapshot: snapshotOf(version), validity, cost: LITTLE };
    return JSON.parse(String((await threads.make(task, client)).body));
  };
  const echo = async (version: string) => {
    const client = exchangeOf('a');
    return (await make(client, version).finally(() => client.end('finished'))).isGiven;
  };
  const [leaving, waiting] = [exchangeOf('a'), exchangeOf('b')];
  const left = make(leaving, '1');
  setImmediate(() => leaving.end('aborted')); // The task is queued by then.
  await expect(left).rejects.toMatchObject({ name: 'AbortError' });
  const given = [await echo('1')];
  const held = make(waiting, '1', { isHeld: true });
  for (const version of ['1', '2', '2', '1', '1']) given.push(await echo(version));
  expect(given).toEqual([true, false, true, false, true, false]);
  waiting.end('aborted');
  await expect(held).rejects.toMatchObject({ name: 'AbortError' });
  await threads.close();
});

test('a client waits for a thread only as long as it may, and no port is left open', async () => {
  const { threads } = await openRenderThread('', { entry: 'test/src/rendering/echo-thread.js' });
  const close = vi.spyOn(MessagePort.prototype, 'close');
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
