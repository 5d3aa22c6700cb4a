import fc from 'fast-check';
import { afterAll, expect, vi } from 'vitest';
import { propertyRuns } from './property-runs.js';

declare module 'vitest' {
  interface TaskMeta {
    /** On a file: the processor time of the process that ran it, imports included, in milliseconds. */
    processorMs?: number;
  }
}

const start = process.cpuUsage();
// biome-ignore lint/correctness/noEmptyPattern: vitest wants a pattern here.
afterAll(({}, file) => {
  const { user, system } = process.cpuUsage(start);
  file.meta.processorMs = (user + system) / 1_000;
});

fc.configureGlobal(propertyRuns());

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
