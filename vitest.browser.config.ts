import { defineConfig } from 'vitest/config';

/** The pages in a real browser: `npm run test:browser`. */
export default defineConfig({
  test: {
    include: ['test/browser/**/*.test.ts'],
    globalSetup: ['test/support/servers.ts'],
    fileParallelism: false,
    // Each test has a browser context of its own, and waits for the network more than for a processor.
    sequence: { concurrent: true },
    maxConcurrency: 3,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    reporters: ['verbose'],
  },
});
