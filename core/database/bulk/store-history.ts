import { pipeline } from 'node:stream/promises';
import { from as copyFrom } from 'pg-copy-streams';
import type { RawRow } from '../../domain/blend/carry-forward.js';
import { BLEND_METHOD } from '../../domain/blend/method.js';
import { exceptedKeys } from '../blend-method.js';
import { literally, sql } from '../sql.js';
import type { Transaction } from '../transactions.js';

/** Instants are RFC 3339 texts. */
export interface HistoryRow extends RawRow {
  recordedAt: string;
  replacedAt?: string | undefined;
  cause?: string | undefined;
  suspect?: string | undefined;
}

/**
 * Fills an empty database with rates, revisions, suspects and data versions at their original instants. Does
 * not store providers or coverage. The caller holds the data lock.
 */
export async function storeHistory(
  transaction: Transaction,
  batches: AsyncIterable<readonly HistoryRow[]>,
): Promise<{ rates: number; revisions: number }> {
  await transaction.execute(
    sql`create temporary table history (
          provider varchar(16) collate "C", date date, base varchar(3) collate "C", quote varchar(3) collate "C",
          rate float8, recorded_at timestamptz(3), replaced_at timestamptz(3), cause text, suspect text
        ) on commit drop`,
  );
  await pipeline(asCsv(batches), transaction.client.query(copyFrom('copy history from stdin (format csv)')));
  const rates = await transaction.execute(
    sql`insert into rates (provider, date, base, quote, rate, recorded_at)
        select provider, date, base, quote, rate, recorded_at from history where replaced_at is null`,
  );
  const revisions = await transaction.execute(
    sql`insert into rate_revisions (provider, date, base, quote, rate, recorded_at, replaced_at, cause)
        select provider, date, base, quote, rate, recorded_at, replaced_at, cause::revision_cause
        from history where replaced_at is not null order by replaced_at, provider, date, base, quote`,
  );
  await transaction.execute(
    sql`insert into suspects (provider, date, base, quote, rate, reason, expected, others, suspected_at)
        select distinct on (provider, date, base, quote, rate)
          provider, date, base, quote, rate, split_part(suspect, ' ', 1), split_part(suspect, ' ', 2)::float8,
          split_part(suspect, ' ', 3)::int, recorded_at
        from history where suspect is not null order by provider, date, base, quote, rate, recorded_at`,
  );
  await transaction.execute(
    sql`insert into suspect_states (suspect, since, status, reason, evidence)
        select distinct suspects.id, split_part(state, '@', 2)::timestamptz, split_part(state, '/', 1)::suspect_status,
          split_part(state, '/', 2),
          convert_from(decode(split_part(split_part(state, '@', 1), '/', 3), 'hex'), 'utf8')::jsonb
        from history
          join suspects using (provider, date, base, quote, rate)
          cross join unnest((string_to_array(history.suspect, ' '))[4:]) as state
        where history.suspect is not null`,
  );
  // Derive the suspect's own fields from its states: when it began, and its current status.
  await transaction.execute(
    sql`update suspects set status = last.status, evidence = last.evidence, suspected_at = last.first,
          resolved_at = case when last.status <> 'held' then last.since end
        from (
          select distinct on (suspect) suspect, status, evidence, since, min(since) over (partition by suspect) as first
          from suspect_states order by suspect, suspect_states.since desc
        ) as last where last.suspect = suspects.id`,
  );
  // A rate affects blends for 14 days.
  await transaction.execute(
    sql`insert into data_versions (changed_from, changed_to, provider, created_at, method, excepted)
        select min(date), max(date) + 14, case when count(distinct provider) = 1 then min(provider) end, at,
          ${BLEND_METHOD}::int, ${exceptedKeys()}
        from (
          select recorded_at as at, date, provider from history
          union all select replaced_at, date, provider from history where replaced_at is not null
          union all select since, date, provider from suspect_states join suspects on suspects.id = suspect
        ) as changes group by at order by at`,
  );
  await transaction.execute(sql`analyze ${literally('rates')}`);
  return { rates, revisions };
}

async function* asCsv(batches: AsyncIterable<readonly HistoryRow[]>): AsyncGenerator<string> {
  for await (const rows of batches) {
    yield rows
      .map(({ provider, date, base, quote, rate, recordedAt, replacedAt = '', cause = '', suspect = '' }) =>
        [provider, date, base, quote, rate, recordedAt, replacedAt, cause, suspect].join(),
      )
      .map((line) => `${line}\n`)
      .join('');
  }
}
