import { type ChildProcess, fork } from 'node:child_process';
import { AWAIT_DATABASE } from '../process/awaited-database.js';

/** A program that can load its modules while its database starts. */
export interface EarlyFork {
  begin(...args: string[]): void;
  /** The first call continues the program that is loading. Later calls start it again. */
  fork(databaseUrl: string): ChildProcess;
  /** Ends the program if it was not used. */
  discard(): void;
}

/** The program inherits the output of this one. */
export function forkEarly(path: string, env: NodeJS.ProcessEnv): EarlyFork {
  const start = (args: string[]) => fork(path, [AWAIT_DATABASE, ...args], { env, stdio: 'inherit' });
  let loading: ChildProcess | undefined;
  return {
    begin(...args) {
      loading = start(args);
    },
    fork(databaseUrl) {
      const child = loading?.connected ? loading : start([]);
      loading = undefined;
      child.send(databaseUrl);
      return child;
    },
    discard() {
      loading?.kill();
    },
  };
}
