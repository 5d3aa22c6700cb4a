import type { Writable } from 'node:stream';
import { SingleBar } from 'cli-progress';

/** Shows a bar, or the seconds since its beginning for a step whose length is not known. */
export type ShowProgress = (step: string, done?: number, total?: number) => void;

/** What a program does at the moment, on a terminal; elsewhere nothing. */
export interface Progress {
  show: ShowProgress;
  /** Clears what is shown. */
  stop(): void;
  /** Prints a line in place of what is shown. While other processes may print, it is all that does not mix with their lines. */
  line(text: string): void;
  /** Prints what was done, in the time since `show` was first called for it. */
  done(what: string, ms?: number): void;
}

export function openProgress(terminal: Writable & { isTTY?: boolean }): Progress {
  if (!terminal.isTTY) return { show() {}, stop() {}, line() {}, done() {} };
  let current: { step: string; bar: SingleBar } | undefined;
  let startedAt: number | undefined;
  const stop = (): void => {
    current?.bar.stop();
    current = undefined;
  };
  const line = (text: string): void => {
    startedAt = undefined;
    stop();
    terminal.write(`${text}\n`);
  };
  return {
    show(step, done = 0, total) {
      startedAt ??= performance.now();
      if (current?.step !== step) {
        current?.bar.stop();
        const length =
          total === undefined
            ? '{duration_formatted}'
            : '{bar} {percentage}% | {value} of {total} | {eta_formatted} left';
        const bar = new SingleBar({
          stream: terminal,
          format: `${step.padEnd(10)} ${length}`,
          clearOnComplete: true,
          hideCursor: true,
          // The time that is left is not a number until something is done.
          formatTime: (seconds) => (Number.isFinite(seconds) ? elapsedText(seconds * 1_000, 0) : '?'),
          // The program stops the bar itself when it is stopped.
          gracefulExit: false,
        });
        current = { step, bar };
        bar.start(total ?? 0, done);
      }
      current.bar.setTotal(total ?? 0);
      current.bar.update(done);
    },
    stop,
    line,
    done: (what, ms = performance.now() - (startedAt ?? performance.now())) =>
      line(`${what} in ${elapsedText(ms)}`),
  };
}

/** A duration in milliseconds as `3.2 s`, and from a minute on as `2 min 5 s`. */
export function elapsedText(ms: number, decimals = 1): string {
  if (ms < 59_500) return `${(ms / 1_000).toFixed(decimals)} s`;
  const seconds = Math.round(ms / 1_000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
