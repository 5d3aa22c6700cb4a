import { expect, it } from 'vitest';
import { openDatabase, poolOf } from '../../../core/database/database.js';
import { openLog } from '../../worker/ingest/support.js';
import { ownDatabase } from '../support.js';

const database = await ownDatabase();

it.each([
  [{}, '5min'],
  [{ statementTimeoutMs: 1_234 }, '1234ms'],
])('every session has its limits and its name: with %j statements of %s', async (options, statement) => {
  const limited = openDatabase(database.url, { connections: 1, ...options });
  const { rows } = await poolOf(limited).query(
    `select current_setting('statement_timeout') as statement, current_setting('application_name') as program,
       current_setting('idle_in_transaction_session_timeout') as idle`,
  );
  expect(rows).toEqual([{ statement, idle: '5min', program: 'almanac' }]);
  await limited.close();
});

it('no more connections are opened than are allowed, and who gets none in time gets an error', async () => {
  const limited = openDatabase(database.url, { connections: 2, connectTimeoutMs: 1_500 });
  const pool = poolOf(limited);
  const taken = [await pool.connect(), await pool.connect()];
  await expect(pool.connect()).rejects.toThrow('timeout');
  for (const client of taken) client.release();
  await limited.close();
});

it('a connection that is lost is logged with its reason, whether it is idle or not, and replaced', async () => {
  const { log, lines } = openLog();
  const opened = openDatabase(database.url, { log, connections: 1 });
  const pool = poolOf(opened);
  const pidOf = async (client: Pick<typeof pool, 'query'>) =>
    (await client.query('select pg_backend_pid() as pid')).rows[0].pid;
  const cut = (pid: number) => database.pool.query('select pg_terminate_backend($1)', [pid]);
  const reason = 'terminating connection due to administrator command';
  await cut(await pidOf(pool));
  await expect.poll(() => lines[0]).toMatchObject({ level: 40, reason, msg: 'database connection lost' });
  lines.length = 0;
  const client = await pool.connect();
  await cut(await pidOf(client));
  await expect.poll(() => lines.length).toBeGreaterThan(0);
  client.release(true);
  expect(await pidOf(pool)).toEqual(expect.any(Number));
  await opened.close();
});
