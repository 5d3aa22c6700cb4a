import type { Listening, ProgramMessage } from '../process/lifecycle.js';
import type { Phases } from './phases.js';

/**
 * Shows what the programs report until the API listens, and calls `announce` then. Afterwards the address stays the last line,
 * but for one when the last of the rates that ship are loaded.
 */
export function showStart(
  phases: Phases,
  announce: (listening: Listening) => Promise<void>,
): { isAnnounced(): boolean; onMessage(message: ProgramMessage): void } {
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
    onMessage(message) {
      if (message.type === 'listening') onListening(message);
      if (message.type === 'progress') onLoading(message.done, message.total, message.ms);
      if (message.type === 'migrated') {
        const { migrations, ms } = message;
        phases.done(`database migrated (${migrations} ${migrations === 1 ? 'migration' : 'migrations'})`, ms);
      }
    },
  };
}
