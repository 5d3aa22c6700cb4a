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

interface Waiting {
  key: string;
  permits: number;
  enter(): void;
}

/** Throws QueueFull, WaitTooLong once the wait budget is used up, and the signal's reason if it aborts a wait. */
export function createSemaphore(options: SemaphoreOptions) {
  const { permits: all, permitsPerKey = all, queueLimit = Number.POSITIVE_INFINITY } = options;
  /** Calls with the same key keep their order. The key whose turn is next comes first. */
  const waiting = new Map<string, Set<Waiting>>();
  let waitingCalls = 0;
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

  function join(call: Waiting): void {
    waiting.set(call.key, (waiting.get(call.key) ?? new Set()).add(call));
    waitingCalls++;
  }

  function leave(call: Waiting): void {
    const own = waiting.get(call.key);
    if (own?.delete(call)) waitingCalls--;
    if (own?.size === 0) waiting.delete(call.key);
  }

  /** A call that needs more permits than are free blocks smaller calls behind it. */
  function nextCall(): Waiting | undefined {
    for (const [key, [first]] of waiting)
      if (first && isWithinShare(key, first.permits)) return first.permits <= free ? first : undefined;
    return undefined;
  }

  /** Admits waiting calls, one of each key in turn. */
  function admitNext(): void {
    for (let call = nextCall(); call; call = nextCall()) {
      leave(call);
      const others = waiting.get(call.key);
      if (others && waiting.delete(call.key)) waiting.set(call.key, others);
      call.enter();
    }
  }

  function wait(key: string, permits: number, { waitBudget, signal }: Claim): Promise<Release> {
    if (waitingCalls >= queueLimit) throw new QueueFull(`${waitingCalls} calls wait already`);
    return new Promise((resolve, reject) => {
      const stopWaiting = () => {
        stopSpending();
        signal?.removeEventListener('abort', onAbort);
      };
      const giveUp = (reason: unknown) => {
        stopWaiting();
        leave(call);
        reject(reason);
        admitNext();
      };
      const onAbort = () => giveUp(signal?.reason);
      const call: Waiting = {
        key,
        permits,
        enter() {
          stopWaiting();
          resolve(hold(key, permits));
        },
      };
      join(call);
      const stopSpending = spend(waitBudget, () => giveUp(new WaitTooLong('waited too long')));
      signal?.addEventListener('abort', onAbort, { once: true });
      // All waiting calls may be blocked by the limits of their keys.
      admitNext();
    });
  }

  const permitsOf = ({ permits = 1 }: Pick<Claim, 'permits'>) => Math.min(permits, permitsPerKey, all);

  /** Undefined if that would have to wait. */
  function tryAcquire(claim: Pick<Claim, 'permits' | 'key'> = {}): Release | undefined {
    const { key = '' } = claim;
    const permits = permitsOf(claim);
    const isFree = waitingCalls === 0 && permits <= free && isWithinShare(key, permits);
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
