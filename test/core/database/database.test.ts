import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabase, poolOf } from '../../../core/database/database.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const SETTINGS = `select current_setting('statement_timeout') as statement,
  current_setting('idle_in_transaction_session_timeout') as idle, current_setting('application_name') as program`;

it.each([
  [undefined, '5min'],
  [1_234, '1234ms'],
])(
  'every session has its limits and its name: statements of %s ms',
  async (statementTimeoutMs, statement) => {
    const limited = openDatabase(database.url, {
      connections: 1,
      ...(statementTimeoutMs !== undefined && { statementTimeoutMs }),
    });
    const { rows } = await poolOf(limited).query(SETTINGS);
    expect(rows).toEqual([{ statement, idle: '5min', program: 'almanac' }]);
    await limited.close();
  },
);

it('as many connections are opened as are allowed; who gets none in time is told', async () => {
  const limited = openDatabase(database.url, { connections: 2, connectTimeoutMs: 1_500 });
  const pool = poolOf(limited);
  const taken = [await pool.connect(), await pool.connect()];
  await expect(pool.connect()).rejects.toThrow('timeout');
  for (const client of taken) client.release();
  await limited.close();
});

it('a connection that is lost is logged with its reason, whether it is idle or not, and replaced', async () => {
  const lines: string[] = [];
  const log = pino({}, { write: (line) => lines.push(line) });
  const opened = openDatabase(database.url, { log, connections: 1 });
  const pool = poolOf(opened);
  const pid = async () => (await pool.query('select pg_backend_pid() as pid')).rows[0].pid;
  const cut = async () => database.pool.query('select pg_terminate_backend($1)', [await pid()]);
  await cut();
  await expect.poll(() => lines.length).toBeGreaterThan(0);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    level: 40,
    reason: 'terminating connection due to administrator command',
    msg: 'database connection lost',
  });
  const client = await pool.connect();
  lines.length = 0;
  const { rows } = await client.query('select pg_backend_pid() as pid');
  await database.pool.query('select pg_terminate_backend($1)', [rows[0].pid]);
  await expect.poll(() => lines.length).toBeGreaterThan(0);
  client.release(true);
  expect(await pid()).toEqual(expect.any(Number));
  await opened.close();
});
