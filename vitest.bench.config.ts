import { defineConfig } from 'vitest/config';

/** Every measurement of the benchmark, once on little data: `npm run test:bench`. */
export default defineConfig({
  test: {
    include: ['test/bench/**/*.test.ts'],
    globalSetup: ['test/support/servers.ts'],
    hookTimeout: 180_000,
  },
});
