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
