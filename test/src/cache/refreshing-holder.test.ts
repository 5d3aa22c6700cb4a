import { setTimeout as delay } from 'node:timers/promises';
import pino from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import {
  openRefreshingHolder,
  type RefreshingHolder,
  type RefreshOptions,
} from '../../../src/cache/refreshing-holder.js';

/** Longer than any test. */
const NEVER_MS = 3_600_000;

const holders: RefreshingHolder<number>[] = [];

afterEach(async () => {
  for (const holder of holders.splice(0)) await holder.close();
});

/** A store with one number in it, whose reads take as long as the test wants. */
function createStore() {
  const store = {
    committed: 1,
    failure: undefined as Error | undefined,
    reads: 0,
    /** Called with each read's own view of the store, which is fixed when it begins. */
    under: async () => {},
    async read(): Promise<number> {
      store.reads++;
      const { committed, failure } = store;
      await store.under();
      if (failure) throw failure;
      return committed;
    },
  };
  return store;
}

/** Keeps reads waiting until it is opened. */
function createBarrier() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, wait: () => opened };
}

function openHolder(
  store: { read(): Promise<number> },
  options: Partial<RefreshOptions> & { isComplete?(value: number): boolean } = {},
) {
  const lines: { level: number; msg: string }[] = [];
  const log = pino({}, { write: (line: string) => lines.push(JSON.parse(line)) });
  const holder = openRefreshingHolder<number>({
    what: 'numbers',
    read: () => store.read(),
    log,
    pollMs: NEVER_MS,
    retryMs: NEVER_MS,
    ...options,
  });
  holders.push(holder);
  return { holder, messages: () => lines.map(({ msg }) => msg) };
}

describe('a refreshing holder', () => {
  it('has nothing until the first value is read', async () => {
    const store = createStore();
    const barrier = createBarrier();
    store.under = barrier.wait;
    const { holder } = openHolder(store);
    expect([holder.current(), holder.confirmedAt()]).toEqual([undefined, undefined]);
    const before = performance.now();
    barrier.open();
    await holder.ready();
    expect(holder.current()).toBe(1);
    expect(Math.abs((holder.confirmedAt() ?? 0) - before)).toBeLessThan(60_000);
  });

  it('reads nothing before what it is to come after', async () => {
    const store = createStore();
    const barrier = createBarrier();
    const { holder } = openHolder(store, { after: barrier.wait() });
    await delay(20);
    expect(store.reads).toBe(0);
    barrier.open();
    await holder.ready();
    expect([holder.current(), store.reads]).toEqual([1, 1]);
  });

  it('gives out no first value before it is complete, and reads again soon', async () => {
    const store = createStore();
    const { holder } = openHolder(store, { isComplete: (value) => value > 1, retryMs: 5 });
    while (store.reads < 3) await delay(5);
    expect(holder.current()).toBeUndefined();
    store.committed = 2;
    await holder.ready();
    expect(holder.current()).toBe(2);
    store.committed = 1; // As after a restore of an empty database.
    await holder.catchUp();
    expect(holder.current()).toBe(1);
  });

  it('reads once more for all calls during a read, so that they see what was committed before', async () => {
    const store = createStore();
    const { holder } = openHolder(store);
    await holder.catchUp();
    const { reads } = store;
    const barrier = createBarrier();
    store.under = barrier.wait;
    const first = holder.catchUp();
    store.committed = 2;
    const seen = [1, 2, 3].map(() => holder.catchUp().then(() => holder.current()));
    barrier.open();
    await first;
    expect(await Promise.all(seen)).toEqual([2, 2, 2]);
    expect(store.reads).toBe(reads + 2);
  });

  it('reads once at a time', async () => {
    let underWay = 0;
    let most = 0;
    const store = createStore();
    store.under = async () => {
      most = Math.max(most, ++underWay);
      await delay(1);
      underWay--;
    };
    const { holder } = openHolder(store);
    for (let round = 0; round < 20; round++) {
      store.committed = round;
      await Promise.all([holder.catchUp(), holder.catchUp(), delay(round % 3)]);
      expect(holder.current()).toBe(round);
    }
    expect(most).toBe(1);
  });

  it('keeps its value when a read fails, rejects the call, and continues to read', async () => {
    const store = createStore();
    const { holder } = openHolder(store);
    await holder.ready();
    const confirmedAt = holder.confirmedAt();
    await delay(2);
    store.committed = 2;
    store.failure = new Error('no connection');
    await expect(holder.catchUp()).rejects.toThrow('no connection');
    expect([holder.current(), holder.confirmedAt()]).toEqual([1, confirmedAt]);
    store.failure = undefined;
    await holder.catchUp();
    expect(holder.current()).toBe(2);
  });

  it('reads once more for a call during a read that fails', async () => {
    const store = createStore();
    const barrier = createBarrier();
    store.under = barrier.wait;
    store.failure = new Error('no connection');
    const { holder } = openHolder(store);
    store.failure = undefined;
    const asked = holder.catchUp();
    barrier.open();
    await asked;
    expect(holder.current()).toBe(1);
  });

  it('logs once that reading fails, however often it tries again, and once that it works again', async () => {
    const store = createStore();
    store.failure = new Error('no connection');
    const { holder, messages } = openHolder(store, { retryMs: 1 });
    await expect.poll(() => store.reads).toBeGreaterThan(3);
    expect(messages()).toEqual(['numbers cannot be read; retrying']);
    store.failure = undefined;
    await holder.ready();
    await expect.poll(messages).toEqual(['numbers cannot be read; retrying', 'numbers can be read again']);
    await delay(10);
    expect(messages()).toHaveLength(2);
  });

  it('reads by poll', async () => {
    const store = createStore();
    const { holder } = openHolder(store, { pollMs: 1 });
    await holder.ready();
    store.committed = 2;
    await expect.poll(() => holder.current()).toBe(2);
  });

  it('reads when something is announced', async () => {
    const store = createStore();
    let announce = () => {};
    const subscribe = async (listener: () => void) => {
      announce = listener;
    };
    const { holder } = openHolder(store, { announcements: { subscribe } });
    await holder.ready();
    store.committed = 2;
    announce();
    await expect.poll(() => holder.current()).toBe(2);
  });

  it('polls if it can not subscribe to announcements', async () => {
    const store = createStore();
    const subscribe = () => Promise.reject(new Error('no listener'));
    const { holder, messages } = openHolder(store, { announcements: { subscribe }, pollMs: 1 });
    await holder.ready();
    store.committed = 2;
    await expect.poll(() => holder.current()).toBe(2);
    expect(messages()).toEqual(['cannot subscribe to announcements of numbers; polling only']);
  });

  it('waits at its close for the read under way, and reads no more', async () => {
    const store = createStore();
    const barrier = createBarrier();
    let announce = () => {};
    const subscribe = async (listener: () => void) => {
      announce = listener;
    };
    const { holder } = openHolder(store, { announcements: { subscribe } });
    await holder.catchUp();
    store.under = barrier.wait;
    const underWay = holder.catchUp();
    const queued = holder.catchUp();
    let isClosed = false;
    const closed = holder.close().then(() => {
      isClosed = true;
    });
    await delay(5);
    expect(isClosed).toBe(false);
    barrier.open();
    await Promise.all([closed, underWay, queued]);
    const { reads } = store;
    announce();
    await holder.catchUp();
    await delay(5);
    expect(store.reads).toBe(reads);
  });

  it('is ready when it is closed before its first value', async () => {
    const store = createStore();
    store.failure = new Error('no connection');
    const { holder } = openHolder(store);
    await holder.close();
    await holder.ready();
    expect(holder.current()).toBeUndefined();
  });

  describe('with a local copy', () => {
    const keptAt = Date.now() - 60_000;
    const copyOf = (value: number) => {
      const kept: unknown[] = [];
      return {
        kept,
        read: async () => ({ value, keptAt }),
        keep: async (newest: unknown) => void kept.push(newest),
      };
    };

    it('takes it while nothing can be read, and leaves it for what is read', async () => {
      const store = createStore();
      store.failure = new Error('no connection');
      const { holder, messages } = openHolder(store, { copy: copyOf(7) });
      await holder.fallBack();
      await holder.ready();
      expect([holder.current(), holder.isStale()]).toEqual([7, true]);
      expect(performance.now() - (holder.confirmedAt() ?? 0)).toBeGreaterThan(59_000);
      expect(messages()).toContain('numbers come from a local copy until they can be read');
      store.failure = undefined;
      await holder.catchUp();
      expect([holder.current(), holder.isStale()]).toEqual([1, false]);
      await holder.fallBack();
      expect([holder.current(), holder.isStale()]).toEqual([1, false]);
    });

    it('keeps what is read, the first at once and others some minutes apart', async () => {
      const store = createStore();
      const copy = copyOf(7);
      const { holder } = openHolder(store, { copy });
      await holder.ready();
      store.committed = 2;
      await holder.catchUp();
      expect(holder.current()).toBe(2);
      expect(copy.kept).toEqual([1]);
    });
  });
});
