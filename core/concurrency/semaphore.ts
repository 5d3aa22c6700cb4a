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

export function createSemaphore(options: SemaphoreOptions): Semaphore {
  const { permits, permitsPerKey = permits, queueLimit = Number.POSITIVE_INFINITY } = options;
  return new Semaphore(permits, Math.min(permits, permitsPerKey), queueLimit);
}

class Semaphore {
  readonly #heldByKey = new Map<string, number>();
  /** Calls with the same key keep their order. The key whose turn is next comes first. */
  readonly #waiting = new Map<string, Set<Waiting>>();
  #waitingCalls = 0;

  constructor(
    private free: number,
    private readonly permitsPerKey: number,
    private readonly queueLimit: number,
  ) {}

  /** The work is never interrupted. */
  async run<T>(work: () => Promise<T>, claim?: Claim): Promise<T> {
    const release = await this.acquire(claim);
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** Throws QueueFull, WaitTooLong once the wait budget is used up, and the signal's reason if it aborts the wait. */
  async acquire(claim: Claim = {}): Promise<Release> {
    claim.signal?.throwIfAborted();
    return this.tryAcquire(claim) ?? this.#wait(claim);
  }

  /** Undefined if that would have to wait. */
  tryAcquire({ permits = 1, key = '' }: Pick<Claim, 'permits' | 'key'> = {}): Release | undefined {
    const wanted = Math.min(permits, this.permitsPerKey);
    const isFree = this.#waitingCalls === 0 && wanted <= this.free && this.#isWithinShare(key, wanted);
    return isFree ? this.#hold(key, wanted) : undefined;
  }

  async #wait({ permits = 1, key = '', waitBudget, signal }: Claim): Promise<Release> {
    if (this.#waitingCalls >= this.queueLimit)
      throw new QueueFull(`${this.#waitingCalls} calls wait already`);
    let giveUp = (_reason: unknown) => {};
    const admitted = new Promise<Release>((resolve, reject) => {
      const wanted = Math.min(permits, this.permitsPerKey);
      const call = { key, permits: wanted, enter: () => resolve(this.#hold(key, wanted)) };
      giveUp = (reason) => {
        this.#leave(call);
        reject(reason);
        this.#admitNext();
      };
      this.#waiting.set(key, (this.#waiting.get(key) ?? new Set()).add(call));
      this.#waitingCalls++;
    });
    const since = performance.now();
    const timer =
      waitBudget && setTimeout(giveUp, Math.max(0, waitBudget.leftMs), new WaitTooLong('waited too long'));
    const onAbort = () => giveUp(signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    // All waiting calls may be blocked by the limits of their keys.
    this.#admitNext();
    try {
      return await admitted;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      if (waitBudget) waitBudget.leftMs -= performance.now() - since;
    }
  }

  #isWithinShare(key: string, permits: number): boolean {
    return (this.#heldByKey.get(key) ?? 0) + permits <= this.permitsPerKey;
  }

  #hold(key: string, permits: number): Release {
    this.#add(key, permits);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#add(key, -permits);
      this.#admitNext();
    };
  }

  #add(key: string, permits: number): void {
    this.free -= permits;
    const held = (this.#heldByKey.get(key) ?? 0) + permits;
    if (held > 0) this.#heldByKey.set(key, held);
    else this.#heldByKey.delete(key);
  }

  #leave(call: Waiting): void {
    const own = this.#waiting.get(call.key);
    if (own?.delete(call)) this.#waitingCalls--;
    if (own?.size === 0) this.#waiting.delete(call.key);
  }

  /** A call that needs more permits than are free blocks smaller calls behind it. */
  #nextCall(): Waiting | undefined {
    for (const [key, [first]] of this.#waiting)
      if (first && this.#isWithinShare(key, first.permits))
        return first.permits <= this.free ? first : undefined;
    return undefined;
  }

  /** Admits waiting calls, one of each key in turn. */
  #admitNext(): void {
    for (let call = this.#nextCall(); call; call = this.#nextCall()) {
      this.#leave(call);
      const others = this.#waiting.get(call.key);
      if (others && this.#waiting.delete(call.key)) this.#waiting.set(call.key, others);
      call.enter();
    }
  }
}
