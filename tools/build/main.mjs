// Builds what has changed: the database client, the pages and the programs, or only what the first word names. A step whose
// inputs are the same is left out, as the steps take seconds also when nothing is to be done.
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { buildChanged } from './build-changed.mjs';

/** Inputs of every step: the packages that are installed and that are wanted, the settings, and this. */
const SHARED = ['node_modules/.package-lock.json', 'package-lock.json', 'package.json', 'tools/build'];
const STEPS = [
  {
    name: 'client',
    inputs: [...SHARED, 'prisma.config.ts', 'prisma/schema.prisma'],
    output: 'core/database/generated/prisma/client.ts',
    run: () => runScript('node_modules/prisma/build/index.js', 'generate', '--no-hints'),
  },
  {
    name: 'pages',
    // The scripts of pages share code with the programs.
    inputs: [...SHARED, 'core', 'data/scalar-api-reference.json', 'src/pages', 'tsconfig.json'],
    output: 'dist/assets/manifest.json',
    run: () => runScript('src/pages/build.mjs'),
  },
  {
    name: 'programs',
    inputs: [...SHARED, 'core', 'src', 'tools', 'tsconfig.build.json', 'tsconfig.json', 'worker'],
    output: 'dist/core/start/main.js',
    run: () => runScript('node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'),
  },
];

const [only] = process.argv.slice(2);
const bar = process.stderr.isTTY ? await openBar() : { step() {}, stop() {} };
try {
  const steps = STEPS.filter(({ name }) => only === undefined || name === only);
  const hasRun = await buildChanged(steps, 'dist/.stamps.json', bar.step);
  bar.stop();
  if (process.stderr.isTTY && hasRun)
    process.stderr.write(`built in ${(performance.now() / 1_000).toFixed(1)} s\n`);
} catch (error) {
  bar.stop();
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

/** Runs a script of Node. Throws an error with all that it printed if it fails. */
async function runScript(...words) {
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  if (code !== 0) throw new Error(`${stdout}${stderr}${words.join(' ')} failed`);
}

async function openBar() {
  const { SingleBar } = await import('cli-progress');
  const format = 'building {bar} {name} | {duration_formatted}';
  const bar = new SingleBar({ format, clearOnComplete: true, gracefulExit: false });
  return {
    step(name) {
      const done = STEPS.findIndex((step) => step.name === name);
      if (bar.isActive) bar.update(done, { name });
      else bar.start(STEPS.length, done, { name });
    },
    stop: () => bar.stop(),
  };
}
