import { type CalendarDate, daysBetween } from '../domain/dates.js';
import type { Listening, ProgramMessage } from '../process/lifecycle.js';
import type { Phases } from './phases.js';

/**
 * Shows what the programs report until the API listens, and calls `announce` then. Afterwards the address stays the last line,
 * but for one when the last of the rates that ship are loaded.
 */
export function showStart(phases: Phases, announce: (listening: Listening) => Promise<void>) {
  let announcedAt: number | undefined;
  let loading: 'not' | 'some' | 'all' = 'not';
  let loadedMs = 0;
  const onListening = (listening: Listening) => {
    if (announcedAt !== undefined) return;
    if (loading !== 'not') phases.done('newest rates loaded', loadedMs);
    announcedAt = performance.now();
    void announce(listening);
  };
  const onLoading = (done: number, total: number, ms: number) => {
    loadedMs += ms;
    if (announcedAt === undefined) phases.show('loading rates', done, total);
    else if (loading === 'some' && done === total)
      phases.done('older rates loaded', performance.now() - announcedAt);
    loading = done === total ? 'all' : 'some';
  };
  return {
    isAnnounced: () => announcedAt !== undefined,
    onMessage(message: ProgramMessage): void {
      if (message.type === 'listening') onListening(message);
      if (message.type === 'progress') onLoading(message.done, message.total, message.ms);
      if (message.type === 'migrated') {
        const { migrations, ms } = message;
        phases.done(`database migrated (${migrations} ${migrations === 1 ? 'migration' : 'migrations'})`, ms);
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
