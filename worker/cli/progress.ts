import { SingleBar } from 'cli-progress';
import type { Session } from './session.js';

/** A progress bar on standard error if that is a terminal; otherwise nothing. */
export interface Progress {
  /** Shows the progress of a step. A new step starts a new bar. */
  show(step: string, done: number, total: number): void;
  stop(): void;
}

export function openProgress({ stderr }: Pick<Session, 'stderr'>): Progress {
  if (!stderr.isTTY) return { show() {}, stop() {} };
  let current: { step: string; bar: SingleBar } | undefined;
  return {
    show(step, done, total) {
      if (current?.step !== step) {
        current?.bar.stop();
        const bar = new SingleBar({
          stream: stderr,
          format: `${step.padEnd(10)} {bar} {percentage}% | {value} of {total} | {eta_formatted} left`,
          hideCursor: true,
          // The command ends the bar itself when it is stopped.
          gracefulExit: false,
        });
        current = { step, bar };
        bar.start(total, done);
      }
      current.bar.setTotal(total);
      current.bar.update(done);
    },
    stop() {
      current?.bar.stop();
      current = undefined;
    },
  };
}
