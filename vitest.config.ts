import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const FEEDS = 'test/worker/{banks,feeds}/**/*.test.ts';

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: Math.max(2, availableParallelism()),
    testTimeout: 20_000,
    hookTimeout: 60_000,
    teardownTimeout: 20_000,
    reporters: ['default', './test/support/count-reporter.ts'],
    projects: [
      // Tests of feeds share no state, so that several files can run in one process and load the libraries once.
      { extends: true, test: { name: 'feeds', include: [FEEDS], isolate: false } },
      {
        extends: true,
        test: {
          name: 'service',
          include: ['test/**/*.test.ts'],
          exclude: [FEEDS, 'test/browser/**'],
          globalSetup: ['test/support/servers.ts'],
        },
      },
    ],
  },
});
