import { afterEach, expect, it, vi } from 'vitest';
import { MigrationsMissing } from '../../../core/database/schema-compatibility.js';
import { waitForDatabase } from '../../../core/database/wait-for-database.js';
import { event } from '../../support/event.js';
import { openLog } from '../../worker/ingest/support.js';
import { ownDatabase } from '../support.js';

const { signal } = new AbortController();
const database = await ownDatabase();
afterEach(() => vi.restoreAllMocks());

const WAITING = { msg: 'waiting for the database' };
const missing = new MigrationsMissing('some tables', new Error('permission denied'));

it.each<[what: string, faults: Error[], lines: object[]]>([
  ['the database is lost', [new Error('Connection terminated due to connection timeout')], [WAITING]],
  [
    'migrations are missing',
    [missing, missing],
    [{ ...WAITING, reason: expect.stringContaining('some tables') }],
  ],
])('prepares again where %s meanwhile, and says once what it waits for', async (_what, faults, logged) => {
  const { log, lines } = openLog();
  const prepare = vi.fn<() => Promise<void>>();
  for (const fault of faults) prepare.mockRejectedValueOnce(fault);
  await waitForDatabase(database, log, { signal, prepare });
  expect(prepare).toHaveBeenCalledTimes(faults.length + 1);
  expect(lines).toMatchObject(logged);
});

it('does not where preparing fails for another reason', async () => {
  const prepare = vi.fn().mockRejectedValue(new RangeError('a newer version'));
  const waiting = waitForDatabase(database, openLog().log, { signal, prepare });
  await expect(waiting).rejects.toThrow('a newer version');
  expect(prepare).toHaveBeenCalledTimes(1);
});

const unreachable = () => Promise.reject(new Error('Connection terminated due to connection timeout'));
const preparing = () => new Promise<void>(() => {});

it.each([
  ['two seconds of an unreachable database', 2_000, unreachable],
  ['ten seconds of preparing it', 10_000, preparing],
])('calls back after %s', async (_what, ms, outcome) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const { log } = openLog();
    const leaving = new AbortController();
    const [begun, onWaiting] = [event(), vi.fn()];
    const prepare = () => {
      begun.happen();
      return outcome();
    };
    const waiting = waitForDatabase(database, log, { signal: leaving.signal, onWaiting, prepare });
    const ended = expect(waiting).rejects.toThrow();
    await begun.happened;
    await vi.advanceTimersByTimeAsync(ms - 1);
    expect(onWaiting).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(onWaiting).toHaveBeenCalledTimes(1);
    leaving.abort(new Error('enough'));
    if (outcome === unreachable) await ended;
  } finally {
    vi.useRealTimers();
  }
});

it('does not call back where the database is there at once', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const onWaiting = vi.fn();
    await waitForDatabase(database, openLog().log, { signal, onWaiting });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(onWaiting).not.toHaveBeenCalled();
  } finally {
    vi.useRealTimers();
  }
});
