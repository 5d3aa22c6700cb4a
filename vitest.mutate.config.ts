import { defineConfig } from 'vitest/config';

/** The tests that hold the folders which stryker.config.mjs mutates: slow ones on whole programs are left out. */
export default defineConfig({
  test: {
    testTimeout: 20_000,
    expect: { poll: { timeout: 10_000 } },
    hookTimeout: 60_000,
    include: [
      'test/core/{domain,database,queues}/**/*.test.ts',
      'test/src/{rates,http,relay,operations,utilities,refusal,revisions,pages}/**/*.test.ts',
      'test/src/*.test.ts',
      'test/worker/{ingest,blend,import,backup}/*.test.ts',
      'test/worker/{jobs,feeds}/**/*.test.ts',
      'test/start/start.test.ts',
    ],
    globalSetup: ['test/support/servers.ts'],
  },
});
