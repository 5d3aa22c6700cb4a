import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ProgramMessage } from '../../core/process/lifecycle.js';

/** An API or a worker, running as a child process. */
export interface Program {
  name: string;
  process: ChildProcess;
  /** Kills it with SIGKILL. */
  kill(): Promise<void>;
  /** Sends SIGTERM, and SIGKILL after 15 seconds. Returns the exit code, null if it had to be killed. */
  stop(): Promise<number | null>;
}

export interface Api extends Program {
  url: string;
}

interface ProgramOptions {
  /** Folder of the logs, one file for each program. */
  folder: string;
  env: Readonly<Record<string, string>>;
  /** A command that runs the program, which is added to it. */
  under?: readonly string[];
}

const STOP_LIMIT_MS = 15_000;

/** The file of a built program, given by its path in the build. */
export function builtProgram(entry: string): string {
  return fileURLToPath(new URL(`../../${entry}`, import.meta.url));
}

/** Starts an API on a free port. Resolves once it serves rates. */
export async function startApi(name: string, options: ProgramOptions): Promise<Api> {
  const program = startProgram(name, 'src/main.js', options);
  const { url } = await nextMessage(program, 'listening');
  return { ...program, url };
}

/** Starts a worker. Resolves once it takes jobs. */
export async function startWorker(name: string, options: ProgramOptions): Promise<Program> {
  const program = startProgram(name, 'worker/main.js', options);
  await nextMessage(program, 'ready');
  return program;
}

/** Starts a built program, given by its path in the build. Its output goes to `<name>.log`. */
export function startProgram(
  name: string,
  entry: string,
  { folder, env, under = [] }: ProgramOptions,
): Program {
  const [command = process.execPath, ...words] = [...under, process.execPath];
  const log = openSync(join(folder, `${name}.log`), 'a');
  // The IPC channel ends the child if this process dies. Its own process group keeps Ctrl-C from reaching it.
  const child = fork(builtProgram(entry), [], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    execPath: command,
    execArgv: [...words, '--enable-source-maps'],
    stdio: ['ignore', log, log, 'ipc'],
    detached: true,
  });
  closeSync(log);
  const exited = once(child, 'exit');
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  return {
    name,
    process: child,
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
    async stop() {
      if (hasEnded()) return child.exitCode;
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
      await exited.finally(() => clearTimeout(timer));
      return child.exitCode;
    },
  };
}

function nextMessage<Type extends ProgramMessage['type']>(
  { name, process: child }: Program,
  type: Type,
): Promise<Extract<ProgramMessage, { type: Type }>> {
  return new Promise((resolve, reject) => {
    child.on('message', (message: ProgramMessage) => {
      if (message.type === type) resolve(message as Extract<ProgramMessage, { type: Type }>);
    });
    child.on('exit', (code) => reject(new Error(`${name} exited with code ${code} while starting`)));
  });
}
