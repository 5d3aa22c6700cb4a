import { expect, vi } from 'vitest';

/** For how long a test waits at least for what it expects. It waits that long only where there is a fault. */
const LEAST_MS = 60_000;

const patiently = (timeout = 0) => Math.max(LEAST_MS, timeout);

const { waitFor } = vi;
if (waitFor.name !== 'waitPatiently') {
  vi.waitFor = function waitPatiently(expectation, options = {}) {
    const given = typeof options === 'number' ? { timeout: options } : options;
    return waitFor(expectation, { ...given, timeout: patiently(given.timeout) });
  };
}

const { poll } = expect;
if (poll.name !== 'pollPatiently') {
  expect.poll = function pollPatiently(look, options = {}) {
    return poll(look, { ...options, timeout: patiently(options.timeout) });
  };
}
