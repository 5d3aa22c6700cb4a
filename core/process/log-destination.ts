import { write, writeSync } from 'node:fs';
import type { DestinationStream } from 'pino';

/** A busy API logs hundreds of lines in this time. Writing each separately costs as much as a request. */
const LONGEST_WAIT_MS = 5;
const RETRY_MS = 100;
const TRIES_AT_EXIT = 5;
/** In characters: some ten thousand lines. */
const LARGEST_BUFFER = 4 * 1024 * 1024;

let droppedInAll = 0;

export function droppedLines(): number {
  return droppedInAll;
}

/**
 * Writes without waiting for a reader: buffers lines up to a limit, then drops them, and reports their number
 * to `onDropped` once there is room. At exit, writes the rest within half a second. A pipe must be
 * non-blocking; Node sets that for `process.stdout` and `process.stderr` on first use.
 */
export function openLogDestination(fd: number, onDropped: (lines: number) => void): DestinationStream {
  let waiting = '';
  let rest = Buffer.alloc(0);
  let state: 'idle' | 'scheduled' | 'writing' = 'idle';
  let dropped = 0;

  function schedule(ms: number): void {
    state = 'scheduled';
    setTimeout(writeNext, ms).unref();
  }

  function writeNext(): void {
    if (rest.length === 0) {
      rest = Buffer.from(waiting);
      waiting = '';
    }
    state = 'writing';
    write(fd, rest, (error, written) => {
      if (isFull(error)) return schedule(RETRY_MS);
      if (error) drop(rest.toString().split('\n').length - 1);
      rest = error ? Buffer.alloc(0) : rest.subarray(written);
      if (rest.length > 0) return writeNext();
      state = 'idle';
      if (waiting !== '') schedule(LONGEST_WAIT_MS);
      else if (!error && dropped > 0) report();
    });
  }

  function drop(lines: number): void {
    dropped += lines;
    droppedInAll += lines;
  }

  function report(): void {
    const lines = dropped;
    dropped = 0;
    onDropped(lines);
  }

  process.once('exit', () => {
    // A pending write completes before the process ends.
    writeAtExit(fd, Buffer.concat([state === 'writing' ? Buffer.alloc(0) : rest, Buffer.from(waiting)]));
  });

  return {
    write(line) {
      if (waiting.length + line.length > LARGEST_BUFFER) return drop(1);
      waiting += line;
      if (state === 'idle') schedule(LONGEST_WAIT_MS);
    },
  };
}

function writeAtExit(fd: number, lines: Buffer): void {
  let rest = lines;
  for (let tries = 0; rest.length > 0 && tries < TRIES_AT_EXIT; ) {
    try {
      rest = rest.subarray(writeSync(fd, rest));
    } catch (error) {
      if (!isFull(error)) return;
      tries++;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
    }
  }
}

function isFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EAGAIN';
}
