import type { Socket } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase, poolOf } from '../../../core/database/database.js';
import { DatabaseError, isUnavailable } from '../../../core/database/errors.js';
import { readProviderStates } from '../../../core/database/providers.js';
import { sql } from '../../../core/database/sql.js';
import {
  inBulkTransaction,
  inOneView,
  inTransaction,
  type Transaction,
} from '../../../core/database/transactions.js';
import { reasonOf } from '../../../core/process/connection-errors.js';
import { ownDatabase, rowsOf } from '../support.js';

const database = await ownDatabase('refusal_phrases');
const single = openDatabase(database.url, { connections: 1 });
afterAll(() => single.close());

const phrases = async () =>
  (await rowsOf(database, 'select phrase from refusal_phrases order by 1')).map(([phrase]) => phrase);
const write = (transaction: Transaction, phrase: string) =>
  transaction.execute(sql`insert into refusal_phrases (phrase) values (${phrase})`);

type Run = (database: Database, work: (transaction: Transaction) => Promise<unknown>) => Promise<unknown>;

describe.each<[string, Run]>([
  ['of Prisma', inTransaction],
  ['on a plain connection', inBulkTransaction],
])('a transaction %s', (_kind, run) => {
  it('is visible as a whole, once it is over', async () => {
    await run(database, async (transaction) => {
      expect(await write(transaction, 'one')).toBe(1);
      await write(transaction, 'two');
      const written = await transaction.query(sql`select phrase from refusal_phrases order by id`);
      expect(written).toEqual([{ phrase: 'one' }, { phrase: 'two' }]);
      expect(await phrases()).toEqual([]);
    });
    expect(await phrases()).toEqual(['one', 'two']);
  });

  it('leaves nothing behind where its work fails, and throws that error', async () => {
    const fault = new Error('afterwards');
    const failing = run(database, async (transaction) => {
      await write(transaction, 'one');
      throw fault;
    });
    await expect(failing).rejects.toBe(fault);
    expect(await phrases()).toEqual([]);
  });

  it("throws the server's own words, with its code", async () => {
    const failing = run(database, (transaction) => transaction.query(sql`select 1 / ${0}::int`));
    await expect(failing).rejects.toMatchObject({ message: 'division by zero', code: '22012' });
  });

  it('gives the connection back when the server cuts it', async () => {
    for (let time = 0; time < 2; time++) {
      const cut = run(single, async (transaction) => {
        const [row] = await transaction.query<{ pid: number }>(sql`select pg_backend_pid() as pid`);
        await database.pool.query('select pg_terminate_backend($1)', [row?.pid]);
        await write(transaction, 'lost');
      });
      await expect(cut).rejects.toThrow();
    }
    await run(single, (transaction) => write(transaction, 'found'));
    expect(await phrases()).toEqual(['found']);
  });
});

it('only one in bulk may have statements that take as long as they like, and only until it ends', async () => {
  const limit = sql`select current_setting('statement_timeout') as limit`;
  expect(await inBulkTransaction(single, ({ query }) => query(limit))).toEqual([{ limit: '0' }]);
  expect(await inTransaction(single, ({ query }) => query(limit))).toEqual([{ limit: '5min' }]);
});

it('an error of Prisma keeps what it wraps', async () => {
  const data = [{ phrase: 'twice' }, { phrase: 'twice' }];
  const failing = inTransaction(database, ({ prisma }) => prisma.refusalPhrase.createMany({ data }));
  await expect(failing).rejects.toBeInstanceOf(DatabaseError);
  const message = expect.stringContaining('duplicate key value');
  await expect(failing).rejects.toMatchObject({ code: '23505', message });
});

it('a view sees one moment', async () => {
  const see = async (view: Transaction) => {
    const count = () => view.query(sql`select count(*)::int as n from refusal_phrases`);
    expect(await count()).toEqual([{ n: 0 }]);
    await inTransaction(database, (transaction) => write(transaction, 'meanwhile'));
    expect(await count()).toEqual([{ n: 0 }]);
  };
  await inOneView(database, see);
});

const pid = async () => (await poolOf(single).query('select pg_backend_pid() as pid')).rows[0].pid;
const limited = (silenceMs: number, seconds: number) =>
  inOneView(single, (view) => view.query(sql`select pg_sleep(${seconds}::float8)`), { silenceMs });

it('a view is cut once the database is silent for its limit, and its connection is not used again', async () => {
  const before = await pid();
  await expect(limited(200, 60)).rejects.toThrow('timeout: the database was silent for 200 ms');
  expect(await pid()).not.toBe(before);
});

it('a view leaves no limit on its connection', async () => {
  await limited(60_000, 0);
  const client = await poolOf(single).connect();
  const stream = client.connection.stream as Socket;
  expect([stream.timeout, stream.listenerCount('timeout')]).toEqual([0, 0]);
  client.release();
});

it('a view waits as long for a connection, and gives one that comes later back', async () => {
  const taken = await poolOf(single).connect();
  await expect(limited(50, 0)).rejects.toThrow('timeout: no connection to the database in 50 ms');
  taken.release();
  expect(await pid()).toEqual(expect.any(Number));
});

it.each([
  ['reads', readProviderStates],
  ['a transaction', (away: Database) => inTransaction(away, async () => undefined)],
  ['a bulk transaction', (away: Database) => inBulkTransaction(away, async () => undefined)],
])('a database that cannot be reached gives a reason of one line to %s', async (_what, ask) => {
  const away = openDatabase('postgres://nobody@127.0.0.1:1/none');
  const error = await ask(away).catch((reason: unknown) => reason);
  expect(isUnavailable(error)).toBe(true);
  expect(reasonOf(error)).toMatch(/^.*127\.0\.0\.1.*$/);
  await away.close();
});
