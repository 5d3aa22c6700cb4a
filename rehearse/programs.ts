import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ProgramMessage } from '../core/process/lifecycle.js';

/** An API or a worker as a process of its own. */
export interface Program {
  name: string;
  process: ChildProcess;
  /** Ends it without a word. */
  kill(): Promise<void>;
  /** Asks it to end, by force after a while. Gives its exit code, null where force was needed. */
  stop(): Promise<number | null>;
}

export interface Api extends Program {
  url: string;
}

interface Ground {
  /** Where their logs go, a file each. */
  folder: string;
  variables: Readonly<Record<string, string>>;
}

const STOP_LIMIT_MS = 15_000;

/** Starts an API on a free port. Settles once it answers rates. */
export async function startApi(name: string, ground: Ground): Promise<Api> {
  const program = start(name, '../src/main.js', ground);
  const { url } = await heard(program, 'listening');
  return { ...program, url };
}

/** Starts a worker. Settles once it takes jobs. */
export async function startWorker(name: string, ground: Ground): Promise<Program> {
  const program = start(name, '../worker/main.js', ground);
  await heard(program, 'ready');
  return program;
}

function start(name: string, entry: string, { folder, variables }: Ground): Program {
  const log = openSync(join(folder, `${name}.log`), 'a');
  // The channel between us ends it should this process die; the process group spares it our Ctrl-C.
  const child = fork(fileURLToPath(new URL(entry, import.meta.url)), [], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...variables },
    execArgv: ['--enable-source-maps'],
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

function heard<Type extends ProgramMessage['type']>(
  { name, process: child }: Program,
  type: Type,
): Promise<Extract<ProgramMessage, { type: Type }>> {
  return new Promise((resolve, reject) => {
    child.on('message', (message: ProgramMessage) => {
      if (message.type === type) resolve(message as Extract<ProgramMessage, { type: Type }>);
    });
    child.on('exit', (code) => reject(new Error(`${name} ended with code ${code} as it started`)));
  });
}
