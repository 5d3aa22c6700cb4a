// suite.mjs quick|system|long [PART...]
//
// Runs a suite of tests, or its named parts, in sequence, and continues after a failed part. Prints a line for each part and
// each failed test at the end, with the processor time of all processes.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

/** The processor time that `npm test` may take, in seconds: docs/testing.md. */
const QUICK_BAR_S = 330;
/** The newest Node that is supported, on which the images are. */
const NEWEST_NODE = ['npx', '--yes', '--package', 'node@24', '--', 'node'];

const vitest = (...projects) => ['vitest', 'run', ...projects.flatMap((name) => ['--project', name])];
/** Builds the programs that `tool` runs. */
const BUILD = ['npm', 'run', '--silent', 'build'];
const tool = (...words) => ['node', '--enable-source-maps', 'dist/tools/main.js', ...words];

/** The parts of each suite: name, commands, and a function that returns why a part can't run here, if so. */
const SUITES = {
  quick: [
    { name: 'checks', commands: [['npm', 'run', '--silent', 'check']] },
    { name: 'tests', commands: [vitest('feeds', 'data', 'service')] },
  ],
  system: [
    { name: 'programs', commands: [vitest('system')] },
    { name: 'browser', commands: [vitest('browser')] },
    {
      name: 'attacks',
      commands: [
        BUILD,
        tool('attack', '--short', '--no-times', '--years', '0.1', '--only', 'bodies,revisions,descriptors'),
      ],
    },
    {
      name: 'containers',
      obstacle: obstacleToContainers,
      variables: { TEST_SERVERS: 'containers', TESTCONTAINERS_RYUK_DISABLED: 'true' },
      commands: [
        BUILD,
        [...NEWEST_NODE, 'node_modules/vitest/vitest.mjs', 'run', ...filesOfServers()],
        tool('rehearse'),
      ],
    },
  ],
  long: [
    {
      name: 'properties',
      variables: { PROPERTY_RUNS: 'all' },
      commands: [vitest('feeds', 'data', 'service', 'system')],
    },
    {
      name: 'orders',
      commands: [BUILD, tool('times', '--project', 'feeds', '--project', 'data', '--project', 'service')],
    },
  ],
};

const [suite = '', ...wanted] = process.argv.slice(2);
const parts = SUITES[suite]?.filter(({ name }) => wanted.length === 0 || wanted.includes(name)) ?? [];
if (parts.length === 0 || parts.length < wanted.length) {
  const known = SUITES[suite]?.map(({ name }) => name) ?? Object.keys(SUITES);
  process.stderr.write(`unknown: ${[suite, ...wanted].join(' ')}; there is ${known.join(', ')}\n`);
  process.exit(2);
}
const folder = mkdtempSync(join(tmpdir(), 'almanac-suite-'));
/** test/support/count-reporter.ts appends the failed tests to it. */
const failures = join(folder, 'failures');
const results = parts.map(run);
process.stdout.write(`\n${results.map(({ line }) => line).join('\n')}\n${processorTime()}\n`);
rmSync(folder, { recursive: true });
process.exitCode = results.some(({ failed }) => failed) ? 1 : 0;

/** Runs the commands of a part until one fails. */
function run({ name, commands, obstacle, variables }) {
  const why = obstacle?.();
  if (why !== undefined) return { line: `not run: ${name}, because ${why}`, failed: false };
  const begin = performance.now();
  writeFileSync(failures, '');
  const env = { ...process.env, FAILURES_FILE: failures, ...variables };
  const failing = commands.find(([command, ...words]) => {
    process.stdout.write(`\n== ${command} ${words.join(' ')}\n`.slice(0, 200));
    return (
      spawnSync(command, words, { stdio: 'inherit', env, shell: process.platform === 'win32' }).status !== 0
    );
  });
  const seconds = Math.round((performance.now() - begin) / 1_000);
  const failed = failing !== undefined;
  const line = `${failed ? 'FAILED' : 'passed'}: ${name}, ${seconds} s\n${readFileSync(failures, 'utf8')}`;
  return { line: line.trimEnd(), failed };
}

/** The processor time of all descendant processes. Linux only. */
function processorTime() {
  if (process.platform !== 'linux') return 'processor time: not measured on this system';
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  const TICKS_PER_SECOND = 100;
  const [user, system] = [fields[13], fields[14]].map((ticks) => Number(ticks) / TICKS_PER_SECOND);
  const bar = suite === 'quick' ? `, of at most ${QUICK_BAR_S} s` : '';
  return `processor time: ${Math.round(user + system)} s (user ${Math.round(user)}, system ${Math.round(system)})${bar}`;
}

/** Why there are no containers here. */
function obstacleToContainers() {
  const { status } = spawnSync('docker', ['info'], { stdio: 'ignore' });
  return status === 0 ? undefined : 'no Docker engine responds';
}

/** The test files that start and stop a server themselves. */
function filesOfServers() {
  return readdirSync('test', { recursive: true })
    .map((path) => `test/${path}`)
    .filter((path) => path.endsWith('.test.ts'))
    .filter((path) => /start(Redis|Postgres)\(|serverSource\(\) !==/.test(readFileSync(path, 'utf8')));
}
