export class QueueFull extends Error {
  override readonly name = 'QueueFull';
}

export class WaitTooLong extends Error {
  override readonly name = 'WaitTooLong';
}

interface SemaphoreOptions {
  permits: number;
  permitsPerKey?: number;
  queueLimit?: number;
}

/** The time that a group of calls may spend waiting in total. It runs down while one of them waits. */
export interface WaitBudget {
  leftMs: number;
}

function spend(waitBudget: WaitBudget | undefined, onUsedUp: () => void): () => void {
  if (!waitBudget) return () => {};
  const since = performance.now();
  const timer = setTimeout(onUsedUp, Math.max(0, waitBudget.leftMs));
  return () => {
    clearTimeout(timer);
    waitBudget.leftMs -= performance.now() - since;
  };
}

interface Claim {
  /** Default: 1. Capped at the maximum per key. */
  permits?: number;
  key?: string;
  waitBudget?: WaitBudget | undefined;
  signal?: AbortSignal | undefined;
}

/** Further calls have no effect. */
type Release = () => void;

/** Throws QueueFull, WaitTooLong once the wait budget is used up, and the signal's reason if it aborts a wait. */
export function createSemaphore(options: SemaphoreOptions) {
  const { permits: all, permitsPerKey = all, queueLimit = Number.POSITIVE_INFINITY } = options;
  const waiting = createFairQueue<{ permits: number; enter(): void }>();
  const heldByKey = new Map<string, number>();
  let free = all;

  const isWithinShare = (key: string, permits: number) =>
    (heldByKey.get(key) ?? 0) + permits <= permitsPerKey;

  function hold(key: string, permits: number): Release {
    free -= permits;
    heldByKey.set(key, (heldByKey.get(key) ?? 0) + permits);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      free += permits;
      const left = (heldByKey.get(key) ?? 0) - permits;
      if (left > 0) heldByKey.set(key, left);
      else heldByKey.delete(key);
      admitNext();
    };
  }

  /** Admits waiting calls in turn. A call that needs more permits than are free blocks smaller calls behind it. */
  function admitNext(): void {
    for (let isBlocked = false; !isBlocked && waiting.size > 0; ) {
      const next = waiting.take(({ permits }, key) => {
        if (isBlocked || !isWithinShare(key, permits)) return false;
        isBlocked = permits > free;
        return !isBlocked;
      });
      if (!next) return;
      next.enter();
    }
  }

  function wait(key: string, permits: number, { waitBudget, signal }: Claim): Promise<Release> {
    if (waiting.size >= queueLimit) throw new QueueFull(`${waiting.size} calls wait already`);
    return new Promise((resolve, reject) => {
      const stopWaiting = () => {
        stopSpending();
        signal?.removeEventListener('abort', leave);
      };
      const giveUp = (reason: unknown) => {
        stopWaiting();
        remove();
        reject(reason);
        admitNext();
      };
      const leave = () => giveUp(signal?.reason);
      const remove = waiting.add(key, {
        permits,
        enter() {
          stopWaiting();
          resolve(hold(key, permits));
        },
      });
      const stopSpending = spend(waitBudget, () => giveUp(new WaitTooLong('waited too long')));
      signal?.addEventListener('abort', leave, { once: true });
      // All waiting calls may be blocked by the limits of their keys.
      admitNext();
    });
  }

  const permitsOf = ({ permits = 1 }: Pick<Claim, 'permits'>) => Math.min(permits, permitsPerKey, all);

  /** Undefined if that would have to wait. */
  function tryAcquire(claim: Pick<Claim, 'permits' | 'key'> = {}): Release | undefined {
    const { key = '' } = claim;
    const permits = permitsOf(claim);
    const isFree = waiting.size === 0 && permits <= free && isWithinShare(key, permits);
    return isFree ? hold(key, permits) : undefined;
  }

  function acquire(claim: Claim = {}): Release | Promise<Release> {
    claim.signal?.throwIfAborted();
    return tryAcquire(claim) ?? wait(claim.key ?? '', permitsOf(claim), claim);
  }

  return {
    acquire,
    tryAcquire,
    /** The work is never interrupted. */
    async run<T>(work: () => Promise<T>, claim?: Claim): Promise<T> {
      const release = await acquire(claim);
      try {
        return await work();
      } finally {
        release();
      }
    },
  };
}

/** Items of one key keep the order in which they were added. Keys are served round robin. */
export function createFairQueue<T>() {
  const byKey = new Map<string, Set<{ item: T }>>();
  let size = 0;

  function remove(key: string, entry: { item: T }): void {
    const entries = byKey.get(key);
    if (!entries?.delete(entry)) return;
    size--;
    if (entries.size === 0) byKey.delete(key);
  }

  return {
    get size(): number {
      return size;
    },
    /** Returns a function that removes the item, if it is still there. */
    add(key: string, item: T): () => void {
      const entry = { item };
      const entries = byKey.get(key) ?? new Set();
      byKey.set(key, entries.add(entry));
      size++;
      return () => remove(key, entry);
    },
    /** Removes the next item that passes; undefined if none does. Only tests the first item of each key. */
    take(passes: (item: T, key: string) => boolean = () => true): T | undefined {
      for (const [key, entries] of byKey) {
        const [first] = entries;
        if (!first || !passes(first.item, key)) continue;
        remove(key, first);
        if (byKey.delete(key)) byKey.set(key, entries);
        return first.item;
      }
      return undefined;
    },
  };
}
