import type { ChildProcess } from 'node:child_process';
import type { Logger } from 'pino';
import { CANNOT_START, type Running } from '../process/lifecycle.js';
import { supervise } from '../process/supervise.js';
import type { KeptPostgres } from './keep-postgres.js';

// By how much the API may take longer where it waits for several processes of its own, as it does for up to 13 s.
const API_PROCESSES_MS = 4_000;

/**
 * Keeps the API and the worker running, each as the process that its function starts, and says once where the API
 * listens. Ends where one of them can't start before that. Closing ends both, and the database only after them.
 */
export function runPrograms(
  fork: { api(): ChildProcess; worker(): ChildProcess },
  postgres: Pick<KeptPostgres, 'stop'> | undefined,
  { log, drainMs }: { log: Logger; drainMs: number },
): Running {
  let announced = false;
  const onListening = (address: string) => {
    if (announced) return;
    announced = true;
    process.stdout.write(`Almanac listens on ${address}\nTry ${address}/v2/rates\n`);
  };
  let programs: { stop(): Promise<void> }[] = [];
  const cannotStart = new Promise<number>((resolve) => {
    const onCannotStart = () => {
      // Once it has served rates the service goes on: the API answers from memory.
      if (announced) return 'try-again';
      resolve(CANNOT_START);
      return 'leave';
    };
    programs = [
      supervise(
        { name: 'api', fork: fork.api, extraCloseMs: drainMs + API_PROCESSES_MS },
        { log, onListening, onCannotStart },
      ),
      supervise({ name: 'worker', fork: fork.worker }, { log, onCannotStart }),
    ];
  });
  return {
    extraCloseMs: drainMs,
    ended: cannotStart,
    async close() {
      await Promise.all(programs.map((program) => program.stop()));
      await postgres?.stop();
    },
  };
}
