import type { ChildProcess } from 'node:child_process';
import type { Logger } from 'pino';
import { type Clock, today } from '../domain/clock.js';
import { CANNOT_START, type Running } from '../process/lifecycle.js';
import { supervise } from '../process/supervise.js';
import type { KeptPostgres } from './keep-postgres.js';
import type { Phases } from './phases.js';
import { greeting, showStart } from './show-start.js';

interface RunOptions {
  log: Logger;
  clock: Clock;
  phases: Phases;
  /** Milliseconds that the API continues to serve after a stop request. */
  drainMs: number;
  isReading: boolean;
  /** Creates a link that sets the operators' token, given the URL of the API; undefined if none is needed. */
  loginLink(url: string): Promise<string | undefined>;
}

/** Greets once the API listens. Ends if a program can't start before that. Closing ends both, and then the database. */
export function runPrograms(
  fork: { api(): ChildProcess; worker(): ChildProcess },
  postgres: Pick<KeptPostgres, 'stop'> | undefined,
  { log, clock, phases, drainMs, isReading, loginLink }: RunOptions,
): Running {
  const { isAnnounced, onMessage } = showStart(phases, async (listening) => {
    const loginUrl = await loginLink(listening.url);
    process.stdout.write(greeting(listening, { today: today(clock), isReading, loginUrl }));
  });
  let programs: { stop(): Promise<void> }[] = [];
  const cannotStart = new Promise<number>((resolve) => {
    const onCannotStart = () => {
      // Once it has served rates the service continues, as the API responds from memory.
      if (isAnnounced()) return 'try-again';
      resolve(CANNOT_START);
      return 'leave';
    };
    const hooks = { log, onMessage, onCannotStart };
    programs = [
      supervise({ name: 'api', fork: fork.api, extraCloseMs: drainMs }, hooks),
      supervise({ name: 'worker', fork: fork.worker }, hooks),
    ];
  });
  return {
    extraCloseMs: drainMs,
    ended: cannotStart,
    async close() {
      phases.stop();
      await Promise.all(programs.map((program) => program.stop()));
      await postgres?.stop();
    },
  };
}
