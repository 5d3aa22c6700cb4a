import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { AWAIT_DATABASE } from '../process/awaited-database.js';

/** A program that can load its modules while its database starts. */
export interface EarlyFork {
  /** Starts the program, unless it has been forked. Resolves once it waits for its database, or has ended. */
  begin(...args: string[]): Promise<void>;
  /** The first call continues the program that is loading. Later calls start it again. */
  fork(databaseUrl: string): ChildProcess;
  /** Ends the program if it was not used. */
  discard(): void;
}

/** The program inherits the output of this one. */
export function forkEarly(path: string, env: NodeJS.ProcessEnv): EarlyFork {
  const start = (args: string[]) => fork(path, [AWAIT_DATABASE, ...args], { env, stdio: 'inherit' });
  let loading: ChildProcess | undefined;
  let isForked = false;
  return {
    async begin(...args) {
      if (isForked) return;
      loading = start(args);
      await Promise.race([once(loading, 'message'), once(loading, 'exit')]);
    },
    fork(databaseUrl) {
      const child = loading?.connected ? loading : start([]);
      loading = undefined;
      isForked = true;
      child.send(databaseUrl);
      return child;
    },
    discard() {
      loading?.kill();
    },
  };
}
