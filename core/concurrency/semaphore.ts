/** Too many calls wait already. */
export class QueueFull extends Error {
  override readonly name = 'QueueFull';
}

interface SemaphoreOptions {
  /** Most calls at a time. */
  permits: number;
  /** Most calls that wait for a permit; any number where absent. */
  queueLimit?: number;
}

/** Runs the work once there is a permit for it, in the order of the calls. */
export type Semaphore = <T>(work: () => Promise<T>, signal?: AbortSignal) => Promise<T>;

/**
 * Bounds how many calls run at a time. A call beyond the queue's limit throws QueueFull; one whose signal aborts
 * while it waits leaves the queue and throws the signal's reason. A running call is never interrupted.
 */
export function createSemaphore({
  permits,
  queueLimit = Number.POSITIVE_INFINITY,
}: SemaphoreOptions): Semaphore {
  const waiting = new Set<() => void>();
  let free = permits;

  function acquire(signal: AbortSignal | undefined): Promise<void> | undefined {
    signal?.throwIfAborted();
    if (free > 0) {
      free--;
      return undefined;
    }
    if (waiting.size >= queueLimit) throw new QueueFull(`${waiting.size} calls wait already`);
    return new Promise((resolve, reject) => {
      const leave = () => {
        waiting.delete(enter);
        reject(signal?.reason);
      };
      const enter = () => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      waiting.add(enter);
      signal?.addEventListener('abort', leave, { once: true });
    });
  }

  /** Hands the permit to the call that has waited longest. */
  function release(): void {
    const [next] = waiting;
    if (!next) {
      free++;
      return;
    }
    waiting.delete(next);
    next();
  }

  return async (work, signal) => {
    await acquire(signal);
    try {
      return await work();
    } finally {
      release();
    }
  };
}
