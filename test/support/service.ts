import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectFolder } from '../../core/process/project-files.js';

const START_LIMIT_MS = 60_000;
const BUILD = join(projectFolder, 'dist', 'test-build');

/** The whole service, built and run as `npm start` does. */
export interface Service {
  process: ChildProcess;
  /** Where it says that it listens. Rejects with its output where it ends before. */
  listening: Promise<string>;
  /** Settles when it has ended. */
  ended: Promise<{ code: number | null; stdout: string; stderr: string }>;
}

/** Compiles the service, without checking types: that is not for a test to do again. */
export async function buildService(): Promise<void> {
  const tsc = join(projectFolder, 'node_modules', 'typescript', 'bin', 'tsc');
  const options = ['-p', 'tsconfig.build.json', '--noCheck', '--outDir', BUILD];
  options.push('--tsBuildInfoFile', join(BUILD, '.tsbuildinfo'));
  await promisify(execFile)(process.execPath, [tsc, ...options], { cwd: projectFolder });
}

/** Starts it in a process group of its own, on any free port and offline unless the variables say otherwise. */
export function startService(variables: Readonly<Record<string, string>>): Service {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, PORT: '0', HOST: '127.0.0.1' };
  const child = spawn(process.execPath, [join(BUILD, 'start', 'main.js')], {
    env: { ...env, SCHEDULE: 'off', BOOTSTRAP: 'off', ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let stdout = '';
  let stderr = '';
  const ended = once(child, 'close').then(([code]: (number | null)[]) => ({
    code: code ?? null,
    stdout,
    stderr,
  }));
  const listening = new Promise<string>((resolve, reject) => {
    const fail = () => reject(new Error(`the service does not listen:\n${stdout}\n${stderr}`));
    const timer = setTimeout(fail, START_LIMIT_MS);
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      const url = /^Almanac listens on (\S+)$/m.exec(stdout)?.[1];
      if (url === undefined) return;
      clearTimeout(timer);
      resolve(url);
    });
    void ended.then(fail).finally(() => clearTimeout(timer));
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  listening.catch(() => undefined); // A test that expects no start never looks at it.
  return { process: child, listening, ended };
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
