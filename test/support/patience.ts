import { vi } from 'vitest';

/** For how long a test waits at least for what it expects. It waits that long only where there is a fault. */
const LEAST_MS = 60_000;

const { waitFor } = vi;

if (waitFor.name !== 'waitPatiently') {
  vi.waitFor = function waitPatiently(expectation, options = {}) {
    const given = typeof options === 'number' ? { timeout: options } : options;
    return waitFor(expectation, { ...given, timeout: Math.max(LEAST_MS, given.timeout ?? 0) });
  };
}
