import type { ChildProcess } from 'node:child_process';
import type { Logger } from 'pino';
import { type CalendarDate, type Clock, daysBetween, today } from '../domain/dates.js';
import { CANNOT_START, type Listening, type ProgramMessage, type Running } from '../process/lifecycle.js';
import type { Progress } from '../process/progress.js';
import { supervise } from '../process/supervise.js';
import type { KeptPostgres } from './keep-postgres.js';

interface RunOptions {
  log: Logger;
  clock: Clock;
  progress: Progress;
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
  { log, clock, progress, drainMs, isReading, loginLink }: RunOptions,
): Running {
  const { isAnnounced, onMessage } = showStart(progress, async (listening) => {
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
      progress.stop();
      await Promise.all(programs.map((program) => program.stop()));
      await postgres?.stop();
    },
  };
}

/**
 * Shows what the programs report until the API listens, and calls `announce` then. Afterwards the address stays the last line,
 * but for one when the last of the rates that ship are loaded.
 */
function showStart(progress: Progress, announce: (listening: Listening) => Promise<void>) {
  let announcedAt: number | undefined;
  let loading: 'not' | 'some' | 'all' = 'not';
  let loadedMs = 0;
  const onListening = (listening: Listening) => {
    if (announcedAt !== undefined) return;
    if (loading !== 'not') progress.done('newest rates loaded', loadedMs);
    announcedAt = performance.now();
    void announce(listening);
  };
  const onLoading = (done: number, total: number, ms: number) => {
    loadedMs += ms;
    if (announcedAt === undefined) progress.show('loading rates', done, total);
    else if (loading === 'some' && done === total)
      progress.done('older rates loaded', performance.now() - announcedAt);
    loading = done === total ? 'all' : 'some';
  };
  return {
    isAnnounced: () => announcedAt !== undefined,
    onMessage(message: ProgramMessage): void {
      if (message.type === 'listening') onListening(message);
      if (message.type === 'progress') onLoading(message.done, message.total, message.ms);
      if (message.type === 'migrated') {
        const { migrations, ms } = message;
        progress.done(
          `database migrated (${migrations} ${migrations === 1 ? 'migration' : 'migrations'})`,
          ms,
        );
      }
    },
  };
}

export function greeting(
  { url, newest }: Listening,
  { today, isReading, loginUrl }: { today: CalendarDate; isReading: boolean; loginUrl: string | undefined },
): string {
  const rates = newest === undefined ? 'There are no rates yet.' : ageOf(newest, today);
  const reading = isReading ? 'The banks are being read.' : 'Reading the banks is off (SCHEDULE=off).';
  const login = loginUrl === undefined ? '' : `Set the operators' token within an hour: ${loginUrl}\n`;
  return `${rates} ${reading}
${login}The reference is at ${url}/docs. Press Ctrl-C to stop.
Almanac listens on ${url}
`;
}

function ageOf(newest: CalendarDate, today: CalendarDate): string {
  const days = daysBetween(newest, today);
  // A bank may publish a day ahead.
  if (days <= 0) return `The newest rates are of ${newest}.`;
  return `The newest rates are of ${newest}, ${days} ${days === 1 ? 'day' : 'days'} old.`;
}
