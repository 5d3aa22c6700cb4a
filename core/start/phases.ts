import type { Writable } from 'node:stream';
import { elapsedText } from '../process/elapsed-text.js';
import { openProgress, type ShowProgress } from '../process/progress.js';

/** What a start shows to somebody at a terminal. Elsewhere nothing, as the programs log. */
export interface Phases {
  show: ShowProgress;
  /** Prints a line in place of what is shown. While other processes may print, it is all that does not mix with their lines. */
  line(text: string): void;
  /** Prints what was done, in the time since `show` was first called for it. */
  done(what: string, ms?: number): void;
  stop(): void;
}

export function openPhases(terminal: Writable & { isTTY?: boolean }): Phases {
  const progress = openProgress(terminal);
  let startedAt: number | undefined;
  const line = (text: string) => {
    startedAt = undefined;
    progress.stop();
    if (terminal.isTTY) terminal.write(`${text}\n`);
  };
  return {
    show(...how) {
      startedAt ??= performance.now();
      progress.show(...how);
    },
    line,
    done(what, ms = performance.now() - (startedAt ?? performance.now())) {
      line(`${what} in ${elapsedText(ms)}`);
    },
    stop: progress.stop,
  };
}
