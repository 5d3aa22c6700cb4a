import type { Writable } from 'node:stream';
import { elapsedText, openProgress, type ShowProgress } from '../process/progress.js';

export type Phases = ReturnType<typeof openPhases>;

/** What a start shows to somebody at a terminal. Elsewhere nothing, as the programs log. */
export function openPhases(terminal: Writable & { isTTY?: boolean }) {
  const progress = openProgress(terminal);
  let startedAt: number | undefined;
  /** Prints a line in place of what is shown. While other processes may print, it is all that does not mix with their lines. */
  const line = (text: string): void => {
    startedAt = undefined;
    progress.stop();
    if (terminal.isTTY) terminal.write(`${text}\n`);
  };
  return {
    show(...how: Parameters<ShowProgress>): void {
      startedAt ??= performance.now();
      progress.show(...how);
    },
    line,
    /** Prints what was done, in the time since `show` was first called for it. */
    done(what: string, ms = performance.now() - (startedAt ?? performance.now())): void {
      line(`${what} in ${elapsedText(ms)}`);
    },
    stop: progress.stop,
  };
}
