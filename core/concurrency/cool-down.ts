/** A span of time during which something that failed is not tried again. */
export interface CoolDown {
  /** Begins now and lasts this many milliseconds; a longer one that is active stays. */
  start(milliseconds: number): void;
  isActive(): boolean;
  /** Milliseconds until it ends; 0 where it is not active. */
  remaining(): number;
}

/** Counts on the monotonic clock, so that a clock that is set back can't prolong it. */
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
