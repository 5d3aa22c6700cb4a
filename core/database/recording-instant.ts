import { literally, sql } from './sql.js';
import type { Transaction } from './transactions.js';

const SETTING = 'almanac.recorded_at';

/**
 * SQL: the instant at which this transaction records what it writes: its rates, the end of those that they replace,
 * states of suspects, and its data version. It is later than those of all earlier writers, so that an instant tells
 * exactly what was known. Without the data lock, the start of the transaction.
 */
export const recordingInstant = literally(
  `(select coalesce(nullif(current_setting('${SETTING}', true), '')::timestamptz, now()))`,
);

/**
 * Chooses the instant, once for each transaction. The caller holds the data lock: PostgreSQL's own time of a transaction
 * is that of its start, before it waited for earlier writers. The millisecond after the current one, so that no one can
 * have asked what was known at it.
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

/** The chosen instant, in milliseconds since 1970. */
export async function readRecordingInstant(transaction: Transaction): Promise<number> {
  const [row] = await transaction.query<{ instant: string }>(
    sql`select (extract(epoch from ${recordingInstant}) * 1000)::bigint::text as instant`,
  );
  return Number(row?.instant);
}
