import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createSemaphore, QueueFull, WaitTooLong } from '../../../core/concurrency/semaphore.js';
import { propertyRuns } from '../../support/property-runs.js';

it('never runs more than its permits and runs every call, whatever fails or is given up', async () => {
  const call = fc.record({ ms: fc.nat(3), fails: fc.boolean(), abortsAfter: fc.option(fc.nat(4)) });
  const calls = fc.array(call, { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 4 }), calls, async (permits, calls) => {
      const semaphore = createSemaphore({ permits });
      let running = 0;
      let most = 0;
      const outcomes = await Promise.allSettled(
        calls.map(({ ms, fails, abortsAfter }) => {
          const work = async () => {
            most = Math.max(most, ++running);
            await sleep(ms);
            running--;
            if (fails) throw new Error('failed');
            return 'done';
          };
          return semaphore.run(
            work,
            abortsAfter === null ? {} : { signal: AbortSignal.timeout(abortsAfter) },
          );
        }),
      );
      expect(most).toBeLessThanOrEqual(permits);
      outcomes.forEach((outcome, index) => {
        const { fails, abortsAfter } = calls[index] ?? {};
        if (outcome.status === 'fulfilled') expect(fails).toBe(false);
        else expect(fails || abortsAfter !== null).toBe(true);
      });
      // All permits are back.
      await Promise.all(Array.from({ length: permits }, () => semaphore.run(async () => undefined)));
    }),
    propertyRuns(60),
  );
});

it('refuses a call beyond the limit of its queue', async () => {
  const semaphore = createSemaphore({ permits: 1, queueLimit: 1 });
  const first = semaphore.run(() => sleep(5));
  const second = semaphore.run(() => sleep(5));
  await expect(semaphore.run(() => sleep(5))).rejects.toThrow(QueueFull);
  await Promise.all([first, second]);
});

it('serves callers with different keys in turn, each within its share', async () => {
  const semaphore = createSemaphore({ permits: 4, permitsPerKey: 2 });
  const order: string[] = [];
  const enter = async (key: string) => {
    const release = await semaphore.acquire({ key });
    order.push(key);
    await sleep(5);
    release();
  };
  await Promise.all(['a', 'a', 'a', 'a', 'a', 'b', 'c'].map(enter));
  // `a` never holds more than two, however long the others take to come.
  expect(order.slice(0, 4)).toEqual(['a', 'a', 'b', 'c']);
  expect(order).toHaveLength(7);
});

it('lets nobody overtake who waits for many permits', async () => {
  const semaphore = createSemaphore({ permits: 4 });
  const order: string[] = [];
  const release = await semaphore.acquire({ permits: 2 });
  const enter = async (permits: number, key: string) => {
    const free = await semaphore.acquire({ permits, key });
    order.push(key);
    free();
  };
  const all = Promise.all([enter(4, 'large'), enter(1, 'small')]);
  release();
  await all;
  expect(order).toEqual(['large', 'small']);
});

it('gives permits without waiting only where nobody would be overtaken', async () => {
  const semaphore = createSemaphore({ permits: 3, permitsPerKey: 2 });
  const release = semaphore.tryAcquire({ permits: 2, key: 'a' });
  expect(release).toBeTypeOf('function');
  expect(semaphore.tryAcquire({ key: 'a' })).toBeUndefined();
  const large = semaphore.acquire({ permits: 2, key: 'b' });
  expect(semaphore.tryAcquire({ key: 'c' })).toBeUndefined();
  release?.();
  (await large)();
  expect(semaphore.tryAcquire({ key: 'c' })).toBeTypeOf('function');
});

it('refuses a caller that has waited for too long, and goes on', async () => {
  const semaphore = createSemaphore({ permits: 1 });
  const release = await semaphore.acquire();
  await expect(semaphore.acquire({ waitBudget: { leftMs: 20 } })).rejects.toThrow(WaitTooLong);
  release();
  release();
  expect(await semaphore.run(async () => 'done', { waitBudget: { leftMs: 20 } })).toBe('done');
});

it('permits without waiting are for each key and for all, and what leaves makes room once', () => {
  const semaphore = createSemaphore({ permits: 3, permitsPerKey: 2 });
  const enter = (key: string) => semaphore.tryAcquire({ key });
  const leave = [enter('a'), enter('a'), enter('b')];
  expect(leave.every(Boolean)).toBe(true);
  expect([enter('b'), enter('c')]).toEqual([undefined, undefined]);
  leave[2]?.();
  expect(enter('a')).toBeUndefined();
  const [first, second] = [enter('c'), enter('c')];
  expect([first === undefined, second]).toEqual([false, undefined]);
  for (const one of [leave[0], leave[1], first]) one?.();
  expect([enter('a'), enter('a')]).not.toContain(undefined);
  expect(enter('a')).toBeUndefined();
  expect(enter('b')).toBeDefined();
});

it('serves those that wait in turn, each in order', async () => {
  const semaphore = createSemaphore({ permits: 1 });
  const order: string[] = [];
  const enter = async (name: string) => {
    const release = await semaphore.acquire({ key: name[0] ?? '' });
    order.push(name);
    release();
  };
  const release = await semaphore.acquire();
  const all = Promise.all(['a1', 'a2', 'a3', 'b1', 'c1', 'c2'].map(enter));
  release();
  await all;
  expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3']);
});

it('passes over those that must wait, and leaves out those that have left', async () => {
  const semaphore = createSemaphore({ permits: 2, permitsPerKey: 1 });
  const [ofA, ofX] = [await semaphore.acquire({ key: 'a' }), await semaphore.acquire({ key: 'x' })];
  const leaving = new AbortController();
  const order: string[] = [];
  const enter = async (name: string, signal?: AbortSignal) => {
    const release = await semaphore.acquire({ key: name[0] ?? '', signal });
    order.push(name);
    release();
  };
  const left = enter('a1', leaving.signal);
  const others = [enter('a2'), enter('b1'), enter('b2')];
  leaving.abort(new Error('left'));
  leaving.abort();
  await expect(left).rejects.toThrow('left');
  ofX();
  await Promise.all(others.slice(1));
  ofA();
  await others[0];
  expect(order).toEqual(['b1', 'b2', 'a2']);
});
