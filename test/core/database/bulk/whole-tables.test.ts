import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import * as bulk from '../../../../core/database/bulk/whole-tables.js';
import { inBulkTransaction, inOneView } from '../../../../core/database/transactions.js';
import { emptyDatabase, type TestDatabase } from '../../../support/postgres.js';
import { rowsOf } from '../../support.js';

let database: TestDatabase;
beforeEach(async () => {
  database = await emptyDatabase();
  await database.pool.query(`
    create table _prisma_migrations (id int);
    create table plain (gone int, day timestamptz, "odd ""name" float8, twice float8 generated always as (1) stored);
    alter table plain drop column gone;
    create table grandchild (id bigint generated always as identity, child int);
    create table child (id serial primary key, parent int, other int references child);
    create table the_parent (id int primary key);
    alter table child add foreign key (parent) references the_parent;
    alter table grandchild add foreign key (child) references child;
    create view seen as select * from plain;
    create schema elsewhere; create table elsewhere.other (id serial)`);
});
afterEach(() => database.close());

const tables = () => inOneView(database, bulk.readTables);
const named = async (name: string) => (await tables()).find((table) => table.name === name) as bulk.Table;

it('tables come after those that they refer to, with the columns and sequences that are filled', async () => {
  expect(await tables()).toEqual([
    { name: 'plain', columns: ['day', 'odd "name'], sequences: {} },
    { name: 'the_parent', columns: ['id'], sequences: {} },
    { name: 'child', columns: ['id', 'parent', 'other'], sequences: { child_id_seq: '0' } },
    { name: 'grandchild', columns: ['id', 'child'], sequences: { grandchild_id_seq: '0' } },
  ]);
});

it('rows are copied as texts that depend on no setting, and nothing limits how long it takes', async () => {
  await database.pool.query(`insert into plain values ('2026-03-02 12:00Z', 0.1::float8 + 0.2)`);
  const plain = await named('plain');
  const csv = await inBulkTransaction(database, async (transaction) => {
    await transaction.client.query(
      `set local datestyle = 'SQL, DMY'; set local timezone = 'Asia/Tokyo'; set local extra_float_digits = -5;
       set local statement_timeout = 9000; set local idle_in_transaction_session_timeout = 9000`,
    );
    await bulk.prepareCopies(transaction);
    const { rows } = await transaction.client.query(
      `select current_setting('statement_timeout') as statement, current_setting('idle_in_transaction_session_timeout') as idle`,
    );
    expect(rows).toEqual([{ statement: '0', idle: '0' }]);
    return text(bulk.copyTableOut(transaction, plain));
  });
  expect(csv).toBe('2026-03-02 12:00:00+00\t0.30000000000000004\n');
  await inBulkTransaction(database, async (transaction) => {
    await bulk.emptyTables(transaction, [plain]);
    await pipeline(new PassThrough().end(csv + csv), bulk.copyTableIn(transaction, plain));
  });
  const row = [new Date('2026-03-02T12:00:00Z'), 0.1 + 0.2];
  expect(await rowsOf(database, 'select day, "odd ""name" from plain')).toEqual([row, row]);
});

it('tables are emptied together, and their sequences go on from a number, unless that is rolled back', async () => {
  const insert = async () =>
    (await rowsOf(database, 'insert into child (parent) values (null) returning id')).flat();
  expect([...(await insert()), ...(await insert())]).toEqual([1, 2]);
  const child = await named('child');
  expect(child.sequences).toEqual({ child_id_seq: '2' });
  const all = await tables();
  await inBulkTransaction(database, (transaction) => bulk.emptyTables(transaction, all));
  expect(await rowsOf(database, 'select from child')).toEqual([]);
  const set = (last: string, fault?: Error) =>
    inBulkTransaction(database, async (transaction) => {
      await bulk.setSequences(transaction, { ...child, sequences: { child_id_seq: last } });
      if (fault) throw fault;
    });
  await set('0');
  expect(await insert()).toEqual([1]);
  await set('7');
  expect((await named('child')).sequences).toEqual({ child_id_seq: '7' });
  const fault = new Error('afterwards');
  await expect(set('99', fault)).rejects.toBe(fault);
  expect(await insert()).toEqual([8]);
});
