import { defineConfig } from 'vitest/config';

/**
 * The tests that hold the folders which Stryker mutates: slow ones on whole programs are left out. It can't select one of
 * the projects of vitest.config.ts.
 */
export default defineConfig({
  test: {
    testTimeout: 20_000,
    expect: { poll: { timeout: 10_000 } },
    hookTimeout: 60_000,
    include: [
      'test/core/{domain,database,queues}/**/*.test.ts',
      'test/src/{rates,http,relay,operations,utilities,no,revisions,pages}/**/*.test.ts',
      'test/src/*.test.ts',
      'test/worker/{ingest,blend,import,backup}/*.test.ts',
      'test/worker/{banks,jobs,feeds}/**/*.test.ts',
      'test/core/process/supervise.test.ts',
      'test/core/start/{check-can-listen,run-programs}.test.ts',
    ],
    globalSetup: ['test/support/servers.ts'],
  },
});
