/** The result, or `otherwise` after the time. The work continues. */
export async function within<T, F>(milliseconds: number, work: Promise<T>, otherwise: F): Promise<T | F> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<F>((resolve) => {
    timer = setTimeout(resolve, milliseconds, otherwise).unref();
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
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
