import { pipeline } from 'node:stream/promises';
import { from as copyFrom } from 'pg-copy-streams';
import type { RawRow } from '../domain/blend/carry-forward.js';
import type { CalendarDate } from '../domain/dates.js';
import { copyEnd, copyStart, createCopyEncoder } from './binary-format.js';
import { allowLargeAggregates } from './blended-rates.js';
import type { Database } from './database.js';
import { recordingInstant } from './recording-instant.js';
import { arrayOf, literally, sql } from './sql.js';
import { rowsOf, type Transaction } from './transactions.js';

/** The reason of the runs that record shipped rates. Such a run is `running` until all of its rates are loaded. */
export const SHIPPED = 'shipped';

/** The runs that load shipped rates, of which the loaded ones are those from `window_from` on. */
const LOADING = literally(`reason = '${SHIPPED}' and outcome = 'running'`);

/** The first day with all of its shipped rates, while older ones are still to be loaded; undefined once all are. */
export async function readLoadedFrom(from: Database | Transaction): Promise<CalendarDate | undefined> {
  const [loading] = await rowsOf<{ from: CalendarDate | null }>(
    from,
    sql`select max(window_from)::text as "from" from ingest_runs where ${LOADING}`,
  );
  return loading?.from ?? undefined;
}

/** Throws while older shipped rates are still to be loaded, as a copy of the rates would lack them. */
export async function requireAllLoaded(view: Transaction): Promise<void> {
  const from = await readLoadedFrom(view);
  if (from !== undefined)
    throw new Error(`rates before ${from} are still being loaded: try again in a minute`);
}

/** A file of shipped rates, as the evidence of its rows. */
export interface ShippedFile {
  provider: string;
  /** Of its newest rate. */
  to: CalendarDate;
  url: string;
  /** Hexadecimal, of the decompressed content, whose length is `bytes`. */
  sha256: string;
  bytes: number;
}

/** Starts one run for each file. Nothing is loaded yet from `after` on. Needs rows of the providers and the data lock. */
export async function startShippedRuns(
  transaction: Transaction,
  files: readonly ShippedFile[],
  after: CalendarDate,
): Promise<void> {
  await transaction.execute(
    sql`with
       files as (
         select * from unnest(
           ${arrayOf(files.map(({ provider }) => provider))}::varchar[],
           ${arrayOf(files.map(({ to }) => to))}::date[],
           ${arrayOf(files.map(({ url }) => url))}::text[],
           ${arrayOf(files.map(({ sha256 }) => sha256))}::text[],
           ${arrayOf(files.map(({ bytes }) => bytes))}::int[]) as file (provider, last, url, sha256, bytes)
       ),
       runs as (
         insert into ingest_runs (provider, reason, window_from, window_to, started_at, responses, response_bytes)
         select provider, ${SHIPPED}, ${after}::date, last, ${recordingInstant}, 1, bytes from files
         returning id, provider
       )
     insert into run_responses (run, number, url, fetched_at, sha256, bytes)
     select id, 0, url, ${recordingInstant}, decode(sha256, 'hex'), bytes from runs join files using (provider)`,
  );
}

/**
 * Inserts shipped rows from a day on, older than those already loaded, and notes them in their provider's run. A rate that was
 * recorded meanwhile stays. `isLast` finishes the runs. Returns the dates with new rates, ascending. Needs the data lock.
 */
export async function insertShipped(
  transaction: Transaction,
  rows: readonly RawRow[],
  { from, isLast }: { from: CalendarDate; isLast: boolean },
): Promise<{ rowsNew: number; dates: CalendarDate[] }> {
  await allowLargeAggregates(transaction);
  await transaction.execute(
    sql`create temporary table shipped on commit drop as
        select provider, date, base, quote, rate, buy, sell from rates with no data`,
  );
  const encode = createCopyEncoder();
  await pipeline(
    [copyStart, encode(rows), copyEnd],
    transaction.client.query(copyFrom('copy shipped from stdin (format binary)')),
  );
  const counts = await transaction.query<{ date: CalendarDate; count: number }>(
    sql`with
       loading as (select id, provider from ingest_runs where ${LOADING}),
       added as (
         insert into rates (provider, date, base, quote, rate, recorded_at, run)
         select provider, date, base, quote, rate, ${recordingInstant}, id from shipped join loading using (provider)
         where not exists (
           select from rates where rates.provider = shipped.provider and rates.date = shipped.date
             and rates.base = shipped.base and rates.quote = shipped.quote
         )
         order by provider, date, base, quote returning date, run
       ),
       noted as (
         update ingest_runs as run set window_from = ${from}::date, rows_new = rows_new + count,
           outcome = ${isLast ? 'succeeded' : 'running'}::run_outcome,
           finished_at = case when ${isLast} then ${recordingInstant} end
         from (select id, count(run) from loading left join added on run = id group by id) as counted
         where counted.id = run.id
       )
     select date::text, count(*)::int as count from added group by added.date order by added.date`,
  );
  return {
    rowsNew: counts.reduce((sum, { count }) => sum + count, 0),
    dates: counts.map(({ date }) => date),
  };
}
