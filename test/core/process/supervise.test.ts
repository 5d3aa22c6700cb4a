import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { CANNOT_START } from '../../../core/process/lifecycle.js';
import { supervise } from '../../../core/process/supervise.js';
import { childProcesses } from '../../support/child-processes.js';
import { openLog } from '../../worker/ingest/support.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const MUCH_LATER = 120_000;

/** A supervised program whose processes end when a test ends them. */
function supervised({ onCannotStart = () => 'try-again' as 'leave' | 'try-again', extraCloseMs = 0 } = {}) {
  const signals: string[] = [];
  const { log, lines } = openLog();
  const { fork, count, newest } = childProcesses('it', signals);
  const next: { pid: number | undefined } = { pid: 1 };
  const onMessage = vi.fn();
  const { stop } = supervise(
    { name: 'test', fork: () => fork(next), ...(extraCloseMs > 0 && { extraCloseMs }) },
    { log, onCannotStart, onMessage },
  );
  const errors = () => lines.filter(({ level }) => Number(level) >= 50);
  return {
    ...{ count, newest, signals, errors, next, onMessage, stop },
    delays: () => errors().map(({ delayMs }) => Number(delayMs)),
    /** Ends the process that runs after some time, and waits for the next one. */
    end(afterMs: number, code = 1) {
      vi.advanceTimersByTime(afterMs);
      const before = count();
      newest().emit('exit', code, null);
      vi.advanceTimersByTime(Number(errors().at(-1)?.delayMs) - 1);
      expect(count()).toBe(before);
      vi.advanceTimersByTime(1);
      expect(count()).toBe(before + 1);
    },
  };
}

it('waits twice as long each time, up to half a minute, until the program has run for more than a minute', () => {
  const { delays, end } = supervised();
  for (const afterMs of [...Array(7).fill(1_000), 60_000, 60_001, 1_000]) end(afterMs);
  expect(delays()).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 500, 1_000]);
});

it('leaves a program that cannot start, unless it has been ready', () => {
  const onCannotStart = () => 'leave' as const;
  const left = supervised({ onCannotStart });
  left.newest().emit('exit', CANNOT_START, null);
  vi.advanceTimersByTime(MUCH_LATER);
  expect(left.count()).toBe(1);

  const ready = supervised({ onCannotStart });
  ready.newest().emit('message', { type: 'ready' });
  ready.end(1_000, CANNOT_START);

  const failing = supervised({ onCannotStart });
  // To listen is not yet to be ready.
  failing.newest().emit('message', { type: 'listening', url: 'http://here' });
  failing.end(1_000, 1);
  failing.newest().emit('exit', CANNOT_START, null);
  vi.advanceTimersByTime(MUCH_LATER);
  expect(failing.count()).toBe(2);

  supervised().end(1_000, CANNOT_START);
});

it('passes on what it reports', () => {
  const { newest, onMessage } = supervised();
  newest().emit('message', { type: 'listening', url: 'http://here' });
  expect(onMessage.mock.calls).toEqual([[{ type: 'listening', url: 'http://here' }]]);
});

it('says how it ended, also where it could not be started at all', () => {
  const { newest, count, errors, next } = supervised();
  // An error of a process that runs, as of a message to it, is not its end.
  newest().emit('error', new Error('channel closed'));
  expect(errors()).toEqual([]);
  next.pid = undefined;
  newest().emit('exit', null, 'SIGKILL');
  vi.advanceTimersByTime(500);
  newest().emit('error', new Error('spawn EAGAIN'));
  const ending = { level: 50, program: 'test', code: null, msg: 'program exited unexpectedly, restarting' };
  expect(errors()).toMatchObject([
    { ...ending, signal: 'SIGKILL', delayMs: 500 },
    { ...ending, signal: null, reason: 'spawn EAGAIN', delayMs: 1_000 },
  ]);
  vi.advanceTimersByTime(1_000);
  expect(count()).toBe(3);
});

it.each([0, 5_000])('is ended after twelve seconds and %i ms by force, for good', async (extraCloseMs) => {
  const { stop, signals, newest, count, errors } = supervised({ extraCloseMs });
  const stopped = vi.fn();
  const stopping = stop().then(stopped);
  vi.advanceTimersByTime(11_999 + extraCloseMs);
  expect(signals).toEqual(['it SIGTERM']);
  vi.advanceTimersByTime(1);
  expect(signals).toEqual(['it SIGTERM', 'it SIGKILL']);
  await Promise.resolve();
  expect(stopped).not.toHaveBeenCalled();
  newest().emit('exit', null, 'SIGKILL');
  await stopping;
  vi.advanceTimersByTime(MUCH_LATER);
  expect([count(), errors()]).toEqual([1, []]);
});

it('that ends in time gets no other signal, and one that waits for its restart none at all', async () => {
  const running = supervised();
  const stopped = running.stop();
  running.newest().emit('exit', 0, null);
  await stopped;
  const waiting = supervised();
  waiting.newest().emit('exit', 1, null);
  await waiting.stop();
  vi.advanceTimersByTime(MUCH_LATER);
  expect([running.signals, waiting.count(), waiting.signals]).toEqual([['it SIGTERM'], 1, []]);
});
