import { type Database, poolOf } from './database.js';
import { literally, sql } from './sql.js';
import type { Transaction } from './transactions.js';

const SETTING = 'almanac.recorded_at';
/** The lock that `lockData` takes. */
export const DATA_LOCK = 2_119_770_401;

/** SQL: the instant of this transaction's writes, later than all earlier ones. Without the data lock, its start. */
export const recordingInstant = literally(
  `(select coalesce(nullif(current_setting('${SETTING}', true), '')::timestamptz, now()))`,
);

/**
 * Chooses the instant, once per transaction. The caller holds the data lock. PostgreSQL's transaction time is
 * from before the wait for earlier writers. One millisecond ahead, so that nobody can already have read what
 * was known at it.
 */
export async function chooseRecordingInstant(transaction: Transaction): Promise<void> {
  await transaction.execute(
    sql`select set_config(${SETTING}, (interval '1 millisecond' + greatest(
          date_trunc('milliseconds', clock_timestamp()),
          (select created_at from data_versions order by version desc limit 1)
        ))::text, true)
        where coalesce(current_setting(${SETTING}, true), '') = ''`,
  );
}

/**
 * Whether everything that will ever be recorded up to an instant (milliseconds since 1970) is committed.
 * Always false on a replica, which does not know the running transactions, and while a session of another
 * role holds the lock, because PostgreSQL hides when its transaction began.
 */
export async function isSettled(database: Database, instant: number): Promise<boolean> {
  const { rows } = await poolOf(database).query<{ settled: boolean }>(
    `select not pg_is_in_recovery() and clock_timestamp() >= $1::timestamptz and not exists (
       select from pg_locks join pg_stat_activity using (pid)
       where locktype = 'advisory' and granted and classid = 0 and objid = $2 and objsubid = 1
         and pg_locks.database = (select oid from pg_database where datname = current_database())
         and coalesce(xact_start <= $1::timestamptz, true)
     ) as settled`,
    [new Date(instant), DATA_LOCK],
  );
  return rows[0]?.settled === true;
}
