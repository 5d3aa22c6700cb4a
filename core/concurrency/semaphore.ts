import { createFairQueue } from './fair-queue.js';

/** Too many calls wait already. */
export class QueueFull extends Error {
  override readonly name = 'QueueFull';
}

/** A call has waited for as long as it may. */
export class WaitTooLong extends Error {
  override readonly name = 'WaitTooLong';
}

interface SemaphoreOptions {
  /** How many permits there are. */
  permits: number;
  /** Most permits that calls with the same key hold together; all of them where absent. */
  permitsPerKey?: number;
  /** Most calls that wait for permits; any number where absent. */
  queueLimit?: number;
}

/** How long calls may wait, all that share it together: it is spent while one of them waits. */
export interface WaitBudget {
  leftMs: number;
}

/** Spends a budget from now on, and calls back once it is used up. The returned function ends that. */
function spend(waitBudget: WaitBudget | undefined, onUsedUp: () => void): () => void {
  if (!waitBudget) return () => {};
  const since = performance.now();
  const timer = setTimeout(onUsedUp, Math.max(0, waitBudget.leftMs));
  return () => {
    clearTimeout(timer);
    waitBudget.leftMs -= performance.now() - since;
  };
}

/** What a call asks for. */
interface Claim {
  /** How many permits it takes; one where absent, and never more than one key may hold. */
  permits?: number;
  /** Whose call it is: waiting calls with different keys are served in turn. */
  key?: string;
  /** Without end where absent. */
  waitBudget?: WaitBudget | undefined;
  /** Ends the wait. */
  signal?: AbortSignal | undefined;
}

/** Gives the permits of a call back. Further calls have no effect. */
type Release = () => void;

export interface Semaphore {
  /** Runs the work once there are permits for it. It is never interrupted. */
  run<T>(work: () => Promise<T>, claim?: Claim): Promise<T>;
  /** Takes permits, at once if there are any. */
  acquire(claim?: Claim): Release | Promise<Release>;
  /** Takes permits if that is possible without waiting; undefined if not. */
  tryAcquire(claim?: Pick<Claim, 'permits' | 'key'>): Release | undefined;
}

interface Waiting {
  permits: number;
  enter(): void;
}

/**
 * Bounds how much runs at a time. Calls wait in order, and those with different keys in turn. A call throws QueueFull
 * where the queue is full, WaitTooLong where its wait budget ends, and the reason of its signal if that aborts while it
 * waits.
 */
export function createSemaphore(options: SemaphoreOptions): Semaphore {
  const { permits: all, permitsPerKey = all, queueLimit = Number.POSITIVE_INFINITY } = options;
  const waiting = createFairQueue<Waiting>();
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

  /** Admits those whose turn it is. One that needs more permits than are free is not overtaken by smaller ones. */
  function admitNext(): void {
    for (let isBlocked = false; !isBlocked; ) {
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
      // Calls that wait may all be held up by the shares of their keys.
      admitNext();
    });
  }

  const permitsOf = ({ permits = 1 }: Claim) => Math.min(permits, permitsPerKey, all);

  function tryAcquire(claim: Claim = {}): Release | undefined {
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
    async run(work, claim) {
      const release = await acquire(claim);
      try {
        return await work();
      } finally {
        release();
      }
    },
  };
}
