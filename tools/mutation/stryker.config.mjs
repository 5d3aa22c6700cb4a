export default {
  // What runs in a browser is not seen here, nor is what a program does while it starts.
  mutate: ['{core,src,worker}/**/*.ts', '!core/database/generated/**', '!src/pages/browser/**'],
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'tools/mutation/vitest.config.ts', related: false },
  coverageAnalysis: 'perTest',
  concurrency: 1,
  dryRunTimeoutMinutes: 60,
  timeoutMS: 20_000,
  reporters: ['clear-text', 'json', 'progress-append-only'],
  clearTextReporter: { reportTests: false, allowColor: false },
  jsonReporter: { fileName: '.stryker/report.json' },
  tempDirName: '.stryker/sandbox',
  ignorePatterns: ['dist', '.almanac', 'docs', 'ops', 'tools/{attack,bench}'],
  // Stryker rewrites this file through the programming interface that TypeScript 7 no longer has; tests don't read it.
  tsconfigFile: 'none',
};
