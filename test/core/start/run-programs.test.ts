import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { CANNOT_START } from '../../../core/process/lifecycle.js';
import { openProgress } from '../../../core/process/progress.js';
import { greeting, runPrograms } from '../../../core/start/run-programs.js';
import { childProcesses } from '../../support/child-processes.js';
import { openLog } from '../../worker/ingest/support.js';

const OFF = 'Reading the banks is off (SCHEDULE=off).';
const ON = 'The banks are being read.';

it.each([
  ['2026-03-05', true, `The newest rates are of 2026-03-05, 4 days old. ${ON}`],
  ['2026-03-08', true, `The newest rates are of 2026-03-08, 1 day old. ${ON}`],
  ['2026-03-09', true, `The newest rates are of 2026-03-09. ${ON}`],
  ['2026-03-10', true, `The newest rates are of 2026-03-10. ${ON}`],
  ['2026-03-05', false, `The newest rates are of 2026-03-05, 4 days old. ${OFF}`],
  [undefined, true, `There are no rates yet. ${ON}`],
])('the greeting with newest rates of %s, reading: %s', (newest, isReading, line) => {
  const url = 'http://here:1';
  expect(greeting({ url, newest }, { today: '2026-03-09', isReading, loginUrl: undefined })).toBe(
    `${line}\nThe reference is at ${url}/docs. Press Ctrl-C to stop.\nAlmanac listens on ${url}\n`,
  );
});

let printed: string[];
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  printed = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => printed.push(String(text)) > 0);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Both programs, what they show on a terminal or elsewhere, and what is done to them and to the database, in order. */
function start({ isEmbedded = true, isTTY = false } = {}) {
  const done: string[] = [];
  const { log, lines } = openLog();
  const [api, worker] = [childProcesses('api', done), childProcesses('worker', done)];
  const postgres = isEmbedded ? { stop: async () => void done.push('stop postgres') } : undefined;
  const terminal = Object.assign(new PassThrough({ encoding: 'utf8' }), { isTTY });
  const running = runPrograms({ api: api.fork, worker: worker.fork }, postgres, {
    progress: openProgress(terminal),
    ...{ log, clock: () => new Date('2026-03-09T12:00:00Z'), drainMs: 7_000, isReading: true },
    loginLink: async (url) => `${url}/admin/login?link=secret`,
  });
  return { api, worker, running, done, lines, shown: () => String(terminal.read() ?? '') };
}

const listens = { type: 'listening', url: 'http://here:1', newest: '2026-03-06' };

it('greets once, when the API listens, with a link for operators', async () => {
  const { api, worker } = start();
  worker.newest().emit('message', { type: 'ready' });
  expect(printed).toEqual([]);
  for (let again = 0; again < 2; again++) api.newest().emit('message', listens);
  const loginUrl = 'http://here:1/admin/login?link=secret';
  await vi.waitFor(() =>
    expect(printed).toEqual([greeting(listens, { today: '2026-03-09', isReading: true, loginUrl })]),
  );
  expect(printed[0]).toContain(`Set the operators' token within an hour: ${loginUrl}\n`);
});

const progress = (done: number, total: number) => ({
  ...{ type: 'progress', what: 'rates', done, total },
  ms: 1_600,
});

it('shows on a terminal what is loaded, and afterwards only that the rest is', () => {
  const { api, worker, shown } = start({ isTTY: true });
  const report = (...messages: object[]) => {
    for (const message of messages) worker.newest().emit('message', message);
  };
  report({ type: 'migrated', migrations: 20, ms: 410 }, progress(0, 300), progress(100, 300));
  vi.advanceTimersByTime(6_200);
  const before = shown();
  expect(before).toMatch(/^database migrated \(20 migrations\) in 0\.4 s\n/);
  expect(before).toContain('loading rates ');
  expect(before).toContain('33% | 100 of 300');
  api.newest().emit('message', listens);
  // The last thing that a bar does is to clear its line.
  expect(shown().split('\u001b[2K').at(-1)).toBe('newest rates loaded in 3.2 s\n');
  report(progress(200, 300));
  expect(shown()).toBe('');
  vi.advanceTimersByTime(70_000);
  report(progress(300, 300), progress(300, 300), { type: 'ready' });
  expect(shown()).toBe('older rates loaded in 1 min 10 s\n');
});

it('shows nothing elsewhere', async () => {
  const { api, worker, shown } = start();
  worker.newest().emit('message', progress(0, 300));
  api.newest().emit('message', listens);
  worker.newest().emit('message', progress(300, 300));
  expect(shown()).toBe('');
  await vi.waitFor(() => expect(printed).toHaveLength(1));
});

it.each(['api', 'worker'] as const)('ends where the %s can not start before it serves', async (name) => {
  const first = start();
  first[name].newest().emit('exit', CANNOT_START, null);
  expect(await first.running.ended).toBe(CANNOT_START);
  vi.advanceTimersByTime(60_000);
  expect(first[name].count()).toBe(1);

  const serving = start();
  serving.api.newest().emit('message', listens);
  serving[name].newest().emit('exit', CANNOT_START, null);
  vi.advanceTimersByTime(60_000);
  expect(serving[name].count()).toBe(2);
  expect(serving.lines).toMatchObject([{ program: name }]);
});

it('stops the database only once both programs have ended', async () => {
  const { api, worker, running, done } = start();
  expect(running.extraCloseMs).toBe(7_000);
  const closed = running.close({ drains: true });
  expect(done.splice(0)).toEqual(['api SIGTERM', 'worker SIGTERM']);
  // Each has twelve seconds, and the API for its drain seven more.
  vi.advanceTimersByTime(12_000);
  expect(done.splice(0)).toEqual(['worker SIGKILL']);
  worker.newest().emit('exit', null, 'SIGKILL');
  vi.advanceTimersByTime(6_999);
  await Promise.resolve();
  expect(done).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(done.splice(0)).toEqual(['api SIGKILL']);
  api.newest().emit('exit', null, 'SIGKILL');
  await closed;
  expect(done).toEqual(['stop postgres']);
});

it('has no database to stop where that is elsewhere', async () => {
  const { api, worker, running, done } = start({ isEmbedded: false });
  const closed = running.close({ drains: true });
  for (const program of [api, worker]) program.newest().emit('exit', 0, null);
  await closed;
  expect(done).toEqual(['api SIGTERM', 'worker SIGTERM']);
});
