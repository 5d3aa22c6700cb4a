import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { codeFile } from '../../core/process/project-files.js';

/** A built program, running as a child process. */
export interface Program {
  name: string;
  process: ChildProcess;
  /** Sends a message, if there is one, and returns the next one of that type. Rejects if the process exits before. */
  request<T>(message: unknown, type: string): Promise<T>;
  /** Sends SIGTERM, and SIGKILL after 15 seconds. Returns the exit code, null if it had to be killed. */
  stop(): Promise<number | null>;
}

/** A program that listens for HTTP. */
export interface Server extends Program {
  url: string;
}

export interface ProgramOptions {
  env?: Readonly<Record<string, string>>;
  /** Folder of its log, `<name>.log`. Without one, it writes to the standard error of this process. */
  folder?: string;
  /** Whether it reports what it uses: see probe.ts. */
  measured?: true;
}

const PROBE = pathToFileURL(codeFile('tools/programs/probe.js')).href;
const STOP_LIMIT_MS = 15_000;

/** Starts a built program, given by its path in the build. */
export function startProgram(name: string, entry: string, options: ProgramOptions = {}): Program {
  const { env, folder, measured } = options;
  const output = folder === undefined ? 2 : openSync(join(folder, `${name}.log`), 'a');
  // The IPC channel ends the child if this process dies. Its own process group keeps Ctrl-C from reaching it.
  const child = fork(codeFile(entry), [], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    execArgv: ['--enable-source-maps', ...(measured ? ['--import', PROBE] : [])],
    stdio: ['ignore', output, output, 'ipc'],
    serialization: 'advanced',
    detached: true,
  });
  if (folder !== undefined) closeSync(output);
  const exited = once(child, 'exit');
  return {
    name,
    process: child,
    request: <T>(message: unknown, type: string) =>
      new Promise<T>((resolve, reject) => {
        const onMessage = (reply: unknown) => {
          if ((reply as { type?: unknown }).type !== type) return;
          child.off('message', onMessage);
          resolve(reply as T);
        };
        child.on('message', onMessage);
        exited.then(([code]) => reject(new Error(`${name} exited with code ${code}`)), reject);
        if (message !== undefined) child.send(message as object);
      }),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
      await exited.finally(() => clearTimeout(timer));
      return child.exitCode;
    },
  };
}

/** Starts a program that says where it listens. Resolves once it does. */
export async function startServer(name: string, entry: string, options?: ProgramOptions): Promise<Server> {
  const program = startProgram(name, entry, options);
  const { url } = await program.request<{ url: string }>(undefined, 'listening');
  return { ...program, url };
}

/** Starts an API on a free port. Resolves once it serves rates. */
export function startApi(name: string, { env, ...options }: ProgramOptions): Promise<Server> {
  return startServer(name, 'src/main.js', { ...options, env: { PORT: '0', HOST: '127.0.0.1', ...env } });
}
