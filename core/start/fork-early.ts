import { type ChildProcess, type ForkOptions, fork } from 'node:child_process';
import { AWAIT_DATABASE } from '../process/awaited-database.js';

/** A program that can load its modules while its database starts. It inherits the output of this one. */
export function forkEarly(path: string, options: Pick<ForkOptions, 'env' | 'detached'>) {
  const start = (args: string[]) => fork(path, [AWAIT_DATABASE, ...args], { ...options, stdio: 'inherit' });
  let loading: ChildProcess | undefined;
  let isUsed = false;
  return {
    /** Starts loading, and returns the program; undefined if it was used before that. */
    begin(...args: string[]): ChildProcess | undefined {
      if (!isUsed) loading = start(args);
      return loading;
    },
    /** The first call continues the program that is loading. Later calls start it again. */
    fork(databaseUrl: string): ChildProcess {
      const child = loading?.connected ? loading : start([]);
      loading = undefined;
      isUsed = true;
      child.send(databaseUrl);
      return child;
    },
    /** Ends the program if it was not used. */
    discard(): void {
      loading?.kill();
    },
  };
}
