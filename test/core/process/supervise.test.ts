import type { ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { CANNOT_START } from '../../../core/process/lifecycle.js';
import { supervise } from '../../../core/process/supervise.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

/** A supervised program whose processes end when they are told to. */
function supervised(onCannotStart: () => 'leave' | 'try-again' = () => 'try-again') {
  const children: EventEmitter[] = [];
  const delays: number[] = [];
  const log = pino(
    { level: 'error' },
    { write: (line: string) => void delays.push(JSON.parse(line).delayMs) },
  );
  const fork = () => {
    const child = Object.assign(new EventEmitter(), { pid: 1 });
    children.push(child);
    return child as unknown as ChildProcess;
  };
  supervise({ name: 'test', fork }, { log, onCannotStart });
  return {
    children,
    delays,
    /** Ends the process that runs after so long, and waits for the next one. */
    end(afterMs: number, code = 1) {
      vi.advanceTimersByTime(afterMs);
      const before = children.length;
      children.at(-1)?.emit('exit', code, null);
      vi.advanceTimersByTime((delays.at(-1) ?? 0) - 1);
      expect(children).toHaveLength(before);
      vi.advanceTimersByTime(1);
    },
  };
}

it('waits twice as long each time, up to half a minute', () => {
  const { delays, end } = supervised();
  for (let again = 0; again < 8; again++) end(1_000);
  expect(delays).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
});

it('starts over once the program has run for more than a minute', () => {
  const { delays, end } = supervised();
  for (const afterMs of [1_000, 60_000, 60_001, 1_000]) end(afterMs);
  expect(delays).toEqual([500, 1_000, 500, 1_000]);
});

it('leaves a program that cannot start, unless it has been ready', () => {
  const left = supervised(() => 'leave');
  left.children[0]?.emit('exit', CANNOT_START, null);
  vi.advanceTimersByTime(120_000);
  expect(left.children).toHaveLength(1);

  const ready = supervised(() => 'leave');
  ready.children[0]?.emit('message', { type: 'ready' });
  ready.end(1_000, CANNOT_START);
  expect(ready.children).toHaveLength(2);
});
