import pg from 'pg';
import {
  type CopyStreamQuery,
  type CopyToStreamQuery,
  from as copyFrom,
  to as copyTo,
} from 'pg-copy-streams';
import { literally, sql } from '../sql.js';
import type { Transaction } from '../transactions.js';
import { liftTimeLimits } from './copy-out.js';

export interface Table {
  name: string;
  columns: string[];
  /** The table's sequences, and the last number of each. */
  sequences: Record<string, string>;
}

/** The table of applied migrations. It describes the schema and is created with it. */
const MIGRATIONS = '_prisma_migrations';

const quoted = pg.escapeIdentifier;

/** All tables of the service, each after those that it references. */
export async function readTables(view: Transaction): Promise<Table[]> {
  return view.query<Table>(sql`
    with recursive service_tables as (
      select oid from pg_class
      where relnamespace = current_schema()::regnamespace and relkind = 'r' and relname <> ${MIGRATIONS}
    ), depths as (
      select oid, 0 as depth from service_tables
      union
      select conrelid, depth + 1 from depths join pg_constraint on confrelid = depths.oid
      where contype = 'f' and conrelid <> confrelid
    ), ordered as (select oid, max(depth) as depth from depths group by oid)
    select relname as name,
      array(select attname::text from pg_attribute
        where attrelid = ordered.oid and attnum > 0 and not attisdropped and attgenerated = '' order by attnum) as columns,
      (select coalesce(json_object_agg(sequence.relname, coalesce(last_value, 0)::text), '{}')
        from pg_depend join pg_class as sequence on sequence.oid = objid and sequence.relkind = 'S'
        join pg_sequences on sequencename = sequence.relname and schemaname = current_schema()
        where refobjid = ordered.oid) as sequences
    from ordered join pg_class using (oid) order by depth, relname`);
}

/** Makes COPY text independent of server settings, and lifts time limits, for tables of any size. */
export async function prepareCopies(transaction: Transaction): Promise<void> {
  await transaction.client.query(
    "set local datestyle = 'ISO, YMD'; set local timezone = 'UTC'; set local extra_float_digits = 1",
  );
  await liftTimeLimits(transaction);
}

/** Copies rows in COPY's text format, which every version of PostgreSQL reads. `rowCount` is known at the end. */
export function copyTableOut({ client }: Transaction, { name, columns }: Table): CopyToStreamQuery {
  return client.query(copyTo(`copy ${quoted(name)} (${columns.map(quoted).join()}) to stdout`));
}

/** Reads rows in the format of `copyTableOut`. `rowCount` is known at the end. */
export function copyTableIn({ client }: Transaction, { name, columns }: Table): CopyStreamQuery {
  return client.query(copyFrom(`copy ${quoted(name)} (${columns.map(quoted).join()}) from stdin`));
}

/** Truncates tables, in any order of references, and restarts their sequences. */
export async function emptyTables(transaction: Transaction, tables: readonly Table[]): Promise<void> {
  const names = tables.map(({ name }) => quoted(name)).join();
  await transaction.execute(sql`truncate ${literally(names)} restart identity`);
}

export async function setSequences(transaction: Transaction, { sequences }: Table): Promise<void> {
  for (const [name, last] of Object.entries(sequences)) {
    if (last === '0') continue;
    // A rollback would not undo `setval`.
    await transaction.execute(
      sql`alter sequence ${literally(quoted(name))} restart with ${literally(BigInt(last).toString())}`,
    );
    await transaction.query(sql`select nextval(${quoted(name)}::regclass)::text`);
  }
}
