import { BY_PROXY, UNREACHED, UNRESOLVED, type UnreachedSources } from '../domain/internet-access.js';
import type { Database } from './database.js';
import { sql } from './sql.js';
import { rowsOf, type Transaction } from './transactions.js';

/** Null if every source was reached since the last success of any that had a response: a window may need no request. */
export async function readUnreachedSources(from: Database | Transaction): Promise<UnreachedSources | null> {
  const [found] = await rowsOf<UnreachedSources>(
    from,
    sql`
    with last_success as (
      select coalesce(max(newest.finished_at), '-infinity') as at from providers cross join lateral (
        select finished_at from ingest_runs where provider = key and outcome = 'succeeded' and responses > 0
        order by started_at desc limit 1
      ) as newest
    ),
    unreached as (
      select key, last_error, last_attempt_at, failed.since, coalesce(before.error !~ ${UNREACHED}, true) as is_new
      from providers cross join last_success
        cross join lateral (
          select min(started_at) as since from ingest_runs
          where provider = key and started_at > last_success.at and error ~ ${UNREACHED}
        ) as failed
        left join lateral (
          select error from ingest_runs where provider = key and started_at <= last_success.at
          order by started_at desc limit 1
        ) as before on true
      where last_error ~ ${UNREACHED} and failed.since is not null
    )
    select array_agg(key order by key) as keys, count(*) filter (where is_new)::int as newly,
      count(*) filter (where last_error ~ ${UNRESOLVED})::int as unresolved,
      count(*) filter (where last_error ~ ${BY_PROXY})::int as "byProxy",
      (select count(last_attempt_at)::int from providers) as tried,
      (
        select (select count(*)::int from unnest(string_to_array(sources, ',')) as read where read not in (select key from unreached))
        from reading_plan where sources <> ''
      ) as remaining,
      min(since) as since, max(last_attempt_at) as "triedAt",
      not exists (
        select from ingest_runs where outcome = 'succeeded' and reason <> 'shipped'
          and rows_new + rows_corrected + rows_unchanged > 0
      ) as "isShippedOnly",
      (select max(end_date)::text from currencies) as newest
    from unreached having count(*) > 0`,
  );
  return found ?? null;
}
