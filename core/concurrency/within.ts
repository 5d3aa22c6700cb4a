/** The result, or `otherwise` after the time. The work continues. */
export function within<T, F>(milliseconds: number, work: Promise<T>, otherwise: F): Promise<T | F> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds, otherwise).unref();
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** The result, or the signal's reason as soon as it aborts, even if the work ignores the signal. */
export function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/** Uses the monotonic clock, so that setting the system clock back can't prolong the pause. */
export function createCoolDown(now: () => number = () => performance.now()) {
  let endsAt = Number.NEGATIVE_INFINITY;
  return {
    /** Starts a cool-down of this many milliseconds. A longer one that is already active stays. */
    start(milliseconds: number): void {
      endsAt = Math.max(endsAt, now() + milliseconds);
    },
    isActive: (): boolean => now() < endsAt,
    /** Milliseconds; 0 while none is active. */
    remaining: (): number => Math.max(0, endsAt - now()),
  };
}
