/** A period after a failure during which nothing is retried. */
export interface CoolDown {
  /** Starts a cool-down of this many milliseconds. A longer one that is already active stays. */
  start(milliseconds: number): void;
  isActive(): boolean;
  /** Milliseconds until the cool-down ends; 0 while none is active. */
  remaining(): number;
}

/** Uses the monotonic clock, so that setting the system clock back can't prolong the cool-down. */
export function createCoolDown(now: () => number = () => performance.now()): CoolDown {
  let endsAt = Number.NEGATIVE_INFINITY;
  return {
    start(milliseconds) {
      endsAt = Math.max(endsAt, now() + milliseconds);
    },
    isActive: () => now() < endsAt,
    remaining: () => Math.max(0, endsAt - now()),
  };
}
