import { pino } from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openDatabase, poolOf } from '../../../core/database/database.js';
import { MigrationsMissing } from '../../../core/database/schema-compatibility.js';
import { reachDatabase, waitForDatabase } from '../../../core/database/wait-for-database.js';
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

it('a command waits for a server of which no address listens yet', async () => {
  const refused = (code: string) => Object.assign(new Error(code), { code });
  const asked = vi.spyOn(poolOf(database), 'query');
  const failOnce = (...codes: string[]) =>
    asked.mockImplementationOnce(() => Promise.reject(new AggregateError(codes.map(refused))));
  failOnce('ECONNREFUSED', 'ECONNREFUSED');
  await reachDatabase(database, log);
  expect(asked).toHaveBeenCalledTimes(2);
  failOnce('ECONNREFUSED', 'ENOTFOUND');
  await expect(reachDatabase(database, log)).rejects.toThrow(AggregateError);
});
