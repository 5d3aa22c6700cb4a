import { setTimeout as delay } from 'node:timers/promises';
import pino from 'pino';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { openRefreshingHolder, type RefreshOptions } from '../../../src/cache/refreshing-holder.js';
import { event } from '../../support/event.js';

/** Longer than any test. */
const NEVER_MS = 3_600_000;

/** A store with one number in it, whose reads take as long as the test wants. */
function createStore() {
  const store = {
    committed: 1,
    failure: undefined as Error | undefined,
    reads: 0,
    /** What a read waits for; its own view of the store is fixed when it begins. */
    wait: async () => {},
    async read(): Promise<number> {
      store.reads++;
      const { committed, failure } = store;
      await store.wait();
      if (failure) throw failure;
      return committed;
    },
  };
  return store;
}

let store: ReturnType<typeof createStore>;
beforeEach(() => {
  store = createStore();
});

function open(options: Partial<RefreshOptions> & { isComplete?(value: number): boolean } = {}) {
  const lines: { msg: string }[] = [];
  const log = pino({}, { write: (line: string) => lines.push(JSON.parse(line)) });
  const holder = openRefreshingHolder<number>({
    ...{ what: 'numbers', read: () => store.read(), log, pollMs: NEVER_MS, retryMs: NEVER_MS, ...options },
  });
  onTestFinished(holder.close);
  return { holder, messages: () => lines.map(({ msg }) => msg) };
}

/** Keeps reads waiting until it happens. */
function barrier() {
  const { happen, happened } = event();
  store.wait = () => happened;
  return happen;
}

/** Announcements, and how to make one. */
function announcer() {
  const listeners: (() => void)[] = [];
  const subscribe = async (listener: () => void) => void listeners.push(listener);
  return { announcements: { subscribe }, announce: () => listeners.forEach((listener) => void listener()) };
}

const FAILURE = new Error('no connection');

it('a refreshing holder has nothing until the first value is read, after what it is to come after', async () => {
  const { happen, happened } = event();
  const read = barrier();
  const { holder } = open({ after: happened });
  await delay(5);
  expect(store.reads).toBe(0);
  happen();
  await expect.poll(() => store.reads).toBe(1);
  expect([holder.current(), holder.confirmedAt()]).toEqual([undefined, undefined]);
  const before = performance.now();
  read();
  await holder.ready();
  expect([holder.current(), store.reads]).toEqual([1, 1]);
  expect(Math.abs((holder.confirmedAt() ?? 0) - before)).toBeLessThan(60_000);
});

it('a refreshing holder gives out no first value before it is complete, and reads again soon', async () => {
  const { holder } = open({ isComplete: (value) => value > 1, retryMs: 5 });
  await expect.poll(() => store.reads, { interval: 5 }).toBeGreaterThan(2);
  await holder.tried();
  expect(holder.current()).toBeUndefined();
  store.committed = 2;
  await holder.ready();
  expect(holder.current()).toBe(2);
  store.committed = 1; // As after a restore of an empty database.
  await holder.catchUp();
  expect(holder.current()).toBe(1);
});

it('a refreshing holder reads once more for all calls during a read, so that they see what was committed before', async () => {
  const { holder } = open();
  await holder.catchUp();
  const { reads } = store;
  const read = barrier();
  const first = holder.catchUp();
  store.committed = 2;
  const seen = [1, 2, 3].map(() => holder.catchUp().then(() => holder.current()));
  read();
  await first;
  expect(await Promise.all(seen)).toEqual([2, 2, 2]);
  expect(store.reads).toBe(reads + 2);
});

it('a refreshing holder keeps its value when a read fails, rejects the call, and continues to read', async () => {
  const { holder } = open();
  await holder.ready();
  const confirmedAt = holder.confirmedAt();
  await delay(2);
  [store.committed, store.failure] = [2, FAILURE];
  await expect(holder.catchUp()).rejects.toBe(FAILURE);
  expect([holder.current(), holder.confirmedAt()]).toEqual([1, confirmedAt]);
  store.failure = undefined;
  await holder.catchUp();
  expect(holder.current()).toBe(2);
});

it('a refreshing holder reads once more for a call during a read that fails', async () => {
  const read = barrier();
  store.failure = FAILURE;
  const { holder } = open();
  store.failure = undefined;
  const asked = holder.catchUp();
  read();
  await asked;
  expect(holder.current()).toBe(1);
});

it('a refreshing holder logs once that reading fails, however often it tries again, and once that it works again', async () => {
  store.failure = FAILURE;
  const { holder, messages } = open({ retryMs: 1 });
  await expect.poll(() => store.reads).toBeGreaterThan(3);
  expect(messages()).toEqual(['numbers cannot be read; retrying']);
  store.failure = undefined;
  await holder.ready();
  await expect.poll(messages).toEqual(['numbers cannot be read; retrying', 'numbers can be read again']);
  await delay(10);
  expect(messages()).toHaveLength(2);
});

it('a refreshing holder reads when something is announced', async () => {
  const { announcements, announce } = announcer();
  const { holder } = open({ announcements });
  await holder.ready();
  store.committed = 2;
  announce();
  await expect.poll(() => holder.current()).toBe(2);
});

it('a refreshing holder reads by poll, also where it can not subscribe to announcements', async () => {
  const subscribe = () => Promise.reject(FAILURE);
  const { holder, messages } = open({ announcements: { subscribe }, pollMs: 1 });
  await holder.ready();
  store.committed = 2;
  await expect.poll(() => holder.current()).toBe(2);
  expect(messages()).toEqual(['cannot subscribe to announcements of numbers; polling only']);
});

it('a refreshing holder waits at its close for the read under way, and reads no more', async () => {
  const { announcements, announce } = announcer();
  const { holder } = open({ announcements });
  await holder.catchUp();
  const read = barrier();
  const [underWay, queued] = [holder.catchUp(), holder.catchUp()];
  let isClosed = false;
  const closed = holder.close().then(() => {
    isClosed = true;
  });
  await delay(5);
  expect(isClosed).toBe(false);
  read();
  await Promise.all([closed, underWay, queued]);
  const { reads } = store;
  announce();
  await holder.catchUp();
  await delay(5);
  expect(store.reads).toBe(reads);
});

it('a refreshing holder is ready when it is closed before its first value', async () => {
  store.failure = FAILURE;
  const { holder } = open();
  await holder.close();
  await Promise.all([holder.ready(), holder.tried()]);
});

const copyOf = (value: number) => {
  const kept: unknown[] = [];
  const keep = async (newest: unknown) => void kept.push(newest);
  return { kept, read: async () => ({ value, keptAt: Date.now() - 60_000 }), keep };
};

it('a refreshing holder takes its local copy while nothing can be read, and leaves it for what is read', async () => {
  store.failure = FAILURE;
  const { holder, messages } = open({ copy: copyOf(7) });
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

it('a refreshing holder keeps a local copy of what is read, the first at once and others some minutes apart', async () => {
  const copy = copyOf(7);
  const { holder } = open({ copy });
  await holder.ready();
  store.committed = 2;
  await holder.catchUp();
  expect([holder.current(), copy.kept]).toEqual([2, [1]]);
});
