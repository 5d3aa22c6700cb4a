export default {
  mutate: [
    'core/{domain,database,queues,start}/**/*.ts',
    '!core/database/generated/**',
    'src/{rates,http,relay,operations}/**/*.ts',
    'worker/{ingest,jobs,feeds}/**/*.ts',
    'core/process/supervise.ts',
    // What it calls is tested by itself; the rest needs whole programs, which don't see what is put in.
    'core/start/!(main).ts',
  ],
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'tools/mutation/vitest.config.ts', related: false },
  coverageAnalysis: 'perTest',
  concurrency: 1,
  timeoutMS: 20_000,
  reporters: ['clear-text', 'json', 'progress-append-only'],
  clearTextReporter: { reportTests: false, allowColor: false },
  jsonReporter: { fileName: '.stryker/report.json' },
  tempDirName: '.stryker/sandbox',
  ignorePatterns: ['dist', '.almanac', 'docs', 'ops', 'tools/{attack,bench,rehearse}'],
  // Stryker rewrites this file through the programming interface that TypeScript 7 no longer has; tests don't read it.
  tsconfigFile: 'none',
};
