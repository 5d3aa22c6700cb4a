import { defineConfig } from 'vitest/config';

/** The quick tests that see what Stryker puts in: not those that load modules again, nor those that read sources. */
export default defineConfig({
  test: {
    testTimeout: 90_000,
    hookTimeout: 120_000,
    setupFiles: ['test/support/each-file.ts'],
    include: ['test/**/*.test.ts'],
    exclude: [
      'test/**/*.system.test.ts',
      'test/browser/**',
      'test/core/domain/data-files.test.ts',
      'test/core/process/{entry-points,priority}.test.ts',
    ],
    globalSetup: ['test/support/servers.ts'],
  },
});
