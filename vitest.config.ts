import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.js';

const FEEDS = ['test/worker/{banks,feeds}/**/*.test.ts', 'test/tools/{feeds-*,banks}/**/*.test.ts'];
/** It loads modules again with other data. */
const DATA_FILES = 'test/core/domain/data-files.test.ts';
/** Tests of built programs, proxies and other servers, and of whatever else takes long. */
const SYSTEM = 'test/**/*.system.test.ts';
const BROWSER = 'test/browser/**/*.test.ts';
const PICTURES = 'test/browser/pictures.test.ts';
/** Each test has a browser context of its own, and waits for the network more than for a processor. */
const IN_BROWSER = {
  fileParallelism: false,
  sequence: { concurrent: true, groupOrder: 1 },
  maxConcurrency: 3,
};
const SERVERS = { globalSetup: ['test/support/servers.ts'] };

/** The suites of package.json choose from these projects: test/support/suite.mjs. */
export default defineConfig({
  test: {
    pool: 'forks',
    // One more than there are processors: some tests wait for programs, servers and clocks.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    // One process runs one file after the other, so that it loads libraries and modules once. No test replaces a module.
    isolate: false,
    // Builds are JavaScript.
    server: { deps: { external: [/\/dist\/test-/] } },
    setupFiles: ['test/support/each-file.ts'],
    testTimeout: 120_000,
    hookTimeout: 180_000,
    teardownTimeout: 20_000,
    reporters: ['default', './test/support/count-reporter.ts'],
    projects: [
      { extends: true, test: { name: 'feeds', include: FEEDS, exclude: [SYSTEM] } },
      { extends: true, test: { name: 'data', include: [DATA_FILES], isolate: true } },
      {
        extends: true,
        test: {
          ...SERVERS,
          name: 'service',
          include: ['test/**/*.test.ts'],
          exclude: [...FEEDS, DATA_FILES, SYSTEM, BROWSER],
        },
      },
      { extends: true, test: { ...SERVERS, name: 'system', include: [SYSTEM] } },
      {
        extends: true,
        test: {
          ...SERVERS,
          name: 'browser',
          include: [BROWSER],
          exclude: [PICTURES],
          ...IN_BROWSER,
        },
      },
      // The pictures of the documents.
      { extends: true, test: { ...SERVERS, name: 'pictures', include: [PICTURES] } },
    ],
  },
});
