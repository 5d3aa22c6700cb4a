import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { inject, vi } from 'vitest';
import { projectFolder } from '../../core/process/project-files.js';
import { writeShippedTables } from '../../tools/bootstrap/shipped-table.js';
import { oneAtATime } from './postgres.js';
import { shippedRates } from './shipped-rates.js';

const START_LIMIT_MS = 240_000;

/** Where buildService puts the programs. */
export const BUILD = join(inject('buildFolder'), 'programs');

/** One of the built programs, as a process. */
export interface StartedProgram {
  process: ChildProcess;
  /** What it has printed so far, on standard output and standard error. */
  output(): string;
  /** Settles when it has ended. */
  ended: Promise<{ code: number | null; stdout: string; stderr: string }>;
}

/** The whole service, built and run as `npm start` does. */
export interface Service extends StartedProgram {
  /** Where it says that it listens. Rejects with its output where it ends before. */
  listening: Promise<string>;
}

/** Modules that tests load from the build: those that start threads, which take JavaScript, and those of small programs. */
const TESTED = [
  'core/process/lifecycle.ts',
  'core/process/logger.ts',
  'src/from-publication.ts',
  'src/rates/in-thread.ts',
  'src/rates/snapshot/snapshot.ts',
  'test/src/rendering/echo-thread.ts',
  'test/src/rendering/failing-thread.ts',
  'test/worker/jobs/worker-child.ts',
  'worker/feeds/reading-threads.ts',
];

/** Bundles the programs, once in a run. */
export async function buildService(): Promise<void> {
  const script = join(projectFolder, 'tools', 'build', 'programs.mjs');
  await oneAtATime('build', async () => {
    if (existsSync(join(BUILD, 'src', 'pages', 'messages'))) return; // Written last.
    await promisify(execFile)(process.execPath, [script, BUILD, ...TESTED], { cwd: projectFolder });
  });
}

/** Loads a module of the build, given by its path in it. */
export async function builtModule<Module>(path: string): Promise<Module> {
  await buildService();
  return import(pathToFileURL(join(BUILD, path)).href);
}

/**
 * A copy of the built programs with the newest shipped rates only, which load in a second, and with other files in `data/`:
 * those that are given by their names, in place of the project's. Returns its folder, to be used like BUILD.
 */
export async function buildWithFewRates(files: Readonly<Record<string, string>> = {}): Promise<string> {
  await buildService();
  const folder = await mkdtemp(join(inject('buildFolder'), 'with-data-'));
  const data = join(folder, 'data');
  await mkdir(data);
  await writeShippedTables(join(data, 'rates'), await shippedRates('2026-03-01'));
  for (const name of await readdir(join(projectFolder, 'data'))) {
    if (name === 'rates') continue;
    const given = files[name];
    if (given === undefined) await symlink(join(projectFolder, 'data', name), join(data, name));
    else await writeFile(join(data, name), given);
  }
  await symlink(join(projectFolder, 'prisma'), join(folder, 'prisma'));
  await cp(join(projectFolder, 'package.json'), join(folder, 'package.json'));
  const programs = join(folder, 'dist');
  await cp(BUILD, programs, { recursive: true });
  await symlink(join(projectFolder, 'dist', 'assets'), join(programs, 'assets'));
  return programs;
}

/** Starts the whole service in a process group of its own, on any free port, and offline by default. */
export function startService(variables: Readonly<Record<string, string>>, build = BUILD): Service {
  const service = startProgram('core/start/main.js', variables, { build });
  const listening = new Promise<string>((resolve, reject) => {
    const fail = () => reject(new Error(`the service does not listen:\n${service.output()}`));
    const timer = setTimeout(fail, START_LIMIT_MS);
    service.process.stdout?.on('data', () => {
      const url = /^Almanac listens on (\S+)$/m.exec(service.output())?.[1];
      if (url === undefined) return;
      clearTimeout(timer);
      resolve(url);
    });
    void service.ended.then(fail).finally(() => clearTimeout(timer));
  });
  listening.catch(() => undefined); // A test that expects no start never looks at it.
  return { ...service, listening };
}

export interface ProgramOptions {
  build?: string;
  /** How many files and connections it may have open. */
  openFiles?: number;
}

/** Starts a program by its path in the build, as startService does the whole service. */
export function startProgram(
  entry: string,
  variables: Readonly<Record<string, string>>,
  { build = BUILD, openFiles }: ProgramOptions = {},
): StartedProgram {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, PORT: '0', HOST: '127.0.0.1' };
  const limited = ['sh', '-c', `ulimit -n ${openFiles} && exec "$0" "$@"`, process.execPath];
  const [command = process.execPath, ...words] = openFiles === undefined ? [] : limited;
  const child = spawn(command, [...words, join(build, entry)], {
    env: { ...env, SCHEDULE: 'off', BOOTSTRAP: 'off', ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      printed[name] += text;
    });
  }
  const ended = once(child, 'close').then(([code]: (number | null)[]) => ({
    code: code ?? null,
    ...printed,
  }));
  return { process: child, output: () => `${printed.stdout}${printed.stderr}`, ended };
}

/** The API as a program of its own, and where it listens, once it serves rates. */
export async function startApiProgram(
  variables: Readonly<Record<string, string>>,
): Promise<{ api: StartedProgram; url: string }> {
  const api = startProgram('src/main.js', variables);
  const listening = async () => {
    const found = /"url":"([^"]+)","msg":"listening, try/.exec(api.output())?.[1];
    if (found === undefined) throw new Error(api.output());
    return found;
  };
  return { api, url: await vi.waitFor(listening, { timeout: START_LIMIT_MS, interval: 50 }) };
}

/** Ids of the processes that a process has started and that still run. Linux only. */
export async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return text.trim().split(/\s+/).filter(Boolean).map(Number);
}

/** The command line of a process, empty once it has ended. Linux only. */
export async function commandOf(pid: number): Promise<string> {
  return readFile(`/proc/${pid}/cmdline`, 'utf8').then(
    (text) => text.replaceAll('\0', ' '),
    () => '',
  );
}
