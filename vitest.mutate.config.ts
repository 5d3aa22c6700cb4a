import { defineConfig } from 'vitest/config';

/** The tests that hold the folders which stryker.config.mjs mutates: slow ones on whole programs are left out. */
export default defineConfig({
  test: {
    testTimeout: 20_000,
    expect: { poll: { timeout: 10_000 } },
    hookTimeout: 60_000,
    include: ['test/core/domain/**/*.test.ts', 'test/worker/ingest/*.test.ts', 'test/src/rates/**/*.test.ts'],
    globalSetup: ['test/support/servers.ts'],
  },
});
