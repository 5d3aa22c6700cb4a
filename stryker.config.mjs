/**
 * Mutation testing: plausible small bugs are put into the code, one at a time, and a test has to fail for each.
 * `npm run mutate` takes everything below, which takes hours; `npm run mutate -- --mutate 'core/domain/**'` takes a folder.
 */
export default {
  mutate: [
    'core/{domain,database,queues}/**/*.ts',
    '!core/database/generated/**',
    'src/{rates,http,relay,operations}/**/*.ts',
    'worker/{ingest,jobs,feeds}/**/*.ts',
    '!worker/feeds/damage/**',
    'core/process/supervise.ts',
    // What it calls is tested by itself; the rest needs whole programs, which don't see what is put in.
    'start/!(main).ts',
  ],
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'vitest.mutate.config.ts', related: false },
  coverageAnalysis: 'perTest',
  concurrency: 1,
  timeoutMS: 20_000,
  reporters: ['clear-text', 'json', 'progress-append-only'],
  clearTextReporter: { reportTests: false, allowColor: false },
  jsonReporter: { fileName: '.stryker/report.json' },
  tempDirName: '.stryker/sandbox',
  ignorePatterns: ['dist', '.almanac', 'bench', 'docs', 'ops', 'rehearse'],
  // Stryker rewrites this file through the programming interface that TypeScript 7 no longer has; tests don't read it.
  tsconfigFile: 'none',
};
