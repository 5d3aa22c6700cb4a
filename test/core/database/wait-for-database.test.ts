import { pino } from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openDatabase, poolOf } from '../../../core/database/database.js';
import { MigrationsMissing } from '../../../core/database/schema-compatibility.js';
import { reachDatabase, waitForDatabase } from '../../../core/database/wait-for-database.js';
import { event } from '../../support/event.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

const log = pino({ level: 'silent' });
const signal = new AbortController().signal;

let database: TestDatabase;
beforeEach(async () => {
  database = await testDatabase();
});
afterEach(() => database.close());

it('prepares again where the database is lost meanwhile', async () => {
  const prepare = vi
    .fn<() => Promise<void>>()
    .mockRejectedValueOnce(new Error('Connection terminated due to connection timeout'));
  await waitForDatabase(database, log, { signal, prepare });
  expect(prepare).toHaveBeenCalledTimes(2);
});

it('does not where preparing fails for another reason', async () => {
  const prepare = vi.fn().mockRejectedValue(new RangeError('a newer version'));
  await expect(waitForDatabase(database, log, { signal, prepare })).rejects.toThrow('a newer version');
  expect(prepare).toHaveBeenCalledTimes(1);
});

it('says once what it waits for', async () => {
  const lines: string[] = [];
  const telling = pino({}, { write: (line) => lines.push(line) });
  const prepare = vi
    .fn<() => Promise<void>>()
    .mockRejectedValueOnce(new MigrationsMissing('some are missing'))
    .mockRejectedValueOnce(new MigrationsMissing('some are missing'));
  await waitForDatabase(database, telling, { signal, prepare });
  expect(prepare).toHaveBeenCalledTimes(3);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { reason: 'some are missing', msg: 'waiting for the database' },
  ]);
});

it('a command does not wait where that does not help', async () => {
  await reachDatabase(database, log);
  const lines: string[] = [];
  const url = new URL(database.url);
  url.pathname = '/there_is_none';
  const missing = openDatabase(url.toString());
  const asked = vi.spyOn(poolOf(missing), 'query');
  const reached = reachDatabase(missing, pino({}, { write: (line) => lines.push(line) }));
  await expect(reached).rejects.toMatchObject({ code: '3D000' });
  expect([asked.mock.calls.length, lines]).toEqual([1, []]);
  await missing.close();
});

const coded = (code: string) => Object.assign(new Error('as it says'), { code });

it.each([
  ['is refused', coded('ECONNREFUSED')],
  ['is starting', coded('57P03')],
  ['is refused at each address', new AggregateError([coded('ECONNREFUSED'), coded('ECONNREFUSED')])],
])('a command waits for a server that %s, and says so once', async (_how, error) => {
  const lines: string[] = [];
  const asked = vi.spyOn(poolOf(database), 'query');
  for (let time = 0; time < 2; time++) asked.mockRejectedValueOnce(error as never);
  await reachDatabase(database, pino({}, { write: (line) => lines.push(line) }));
  expect(asked).toHaveBeenCalledTimes(3);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ msg: 'waiting for the database' }]);
});

it.each([
  ['an unknown host', coded('ENOTFOUND')],
  ['an address that is unknown', new AggregateError([coded('ECONNREFUSED'), coded('ENOTFOUND')])],
  ['no error of a server', { code: 'ECONNREFUSED' }],
])('a command does not wait for %s', async (_what, error) => {
  const asked = vi.spyOn(poolOf(database), 'query').mockRejectedValueOnce(error as never);
  await expect(reachDatabase(database, log)).rejects.toBe(error);
  expect(asked).toHaveBeenCalledTimes(1);
});

it('who waits is told after two seconds, and not where the database is there sooner', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const onWaiting = vi.fn();
    await waitForDatabase(database, log, { signal, onWaiting });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(onWaiting).not.toHaveBeenCalled();
    const prepared = event();
    const waiting = waitForDatabase(database, log, { signal, onWaiting, prepare: () => prepared.happened });
    await vi.advanceTimersByTimeAsync(1_999);
    expect(onWaiting).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(onWaiting).toHaveBeenCalledTimes(1);
    prepared.happen();
    await waiting;
  } finally {
    vi.useRealTimers();
  }
});
