// Builds what has changed: the database client, the pages and the programs, or only what the first word names. A step is left
// out while its output exists and its inputs, files and folders, have the same names and contents as when it last ran: by
// themselves the steps take seconds also when there is nothing to do.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Inputs of every step: the packages that are installed and that are wanted, the settings, and this. */
const SHARED = ['node_modules/.package-lock.json', 'package-lock.json', 'package.json', 'tools/build'];
const STEPS = [
  {
    name: 'client',
    inputs: [...SHARED, 'prisma.config.ts', 'prisma/schema.prisma'],
    output: 'core/database/generated/prisma/client.ts',
    script: ['node_modules/prisma/build/index.js', 'generate', '--no-hints'],
  },
  {
    name: 'pages',
    // The scripts of pages share code with the programs.
    inputs: [...SHARED, 'core', 'src/pages', 'tsconfig.json'],
    output: 'dist/assets/manifest.json',
    script: ['src/pages/build.mjs'],
  },
  {
    name: 'programs',
    inputs: [...SHARED, 'core', 'src', 'tools', 'tsconfig.json', 'worker'],
    output: 'dist/core/start/main.js',
    script: ['tools/build/programs.mjs'],
  },
];

const { stderr } = process;
const bar = stderr.isTTY ? await openBar() : undefined;
try {
  const hasRun = await buildChanged(process.argv[2]);
  bar?.stop();
  if (bar && hasRun) stderr.write(`built in ${(performance.now() / 1_000).toFixed(1)} s\n`);
} catch (error) {
  bar?.stop();
  stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

/** Returns whether any step ran. Throws if one fails; it runs again the next time. */
async function buildChanged(only) {
  let hasRun = false;
  for (const [at, { name, inputs, output, script }] of STEPS.entries()) {
    if (only !== undefined && name !== only) continue;
    const stamp = `dist/.${name}.stamp`;
    const hash = hashOf(inputs);
    if (existsSync(output) && existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) continue;
    // A step that fails may leave the outputs of different inputs.
    rmSync(stamp, { force: true });
    bar?.show(name, at);
    await runScript(script);
    mkdirSync('dist', { recursive: true });
    writeFileSync(stamp, hash);
    hasRun = true;
  }
  return hasRun;
}

function hashOf(inputs) {
  const hash = createHash('sha256');
  for (const path of inputs.flatMap(filesOf)) {
    const content = readFileSync(path);
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

/** Sorted. An input that does not exist has none: an image is built without most tools. */
function filesOf(path) {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found?.isDirectory()) return found ? [path] : [];
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesOf(join(path, name)));
}

/** Throws an error with all that the script printed if it fails. */
async function runScript(words) {
  await promisify(execFile)(process.execPath, words).catch(({ stdout, stderr }) => {
    throw new Error(`${stdout}${stderr}${words.join(' ')} failed`);
  });
}

async function openBar() {
  const { SingleBar } = await import('cli-progress');
  const format = 'building {bar} {name} | {duration_formatted}';
  const bar = new SingleBar({ format, clearOnComplete: true, gracefulExit: false });
  return {
    show(name, done) {
      if (bar.isActive) bar.update(done, { name });
      else bar.start(STEPS.length, done, { name });
    },
    stop: () => bar.stop(),
  };
}
