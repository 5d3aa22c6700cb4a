import type { RawRow } from '../domain/blend/carry-forward.js';
import type { CalendarDate } from '../domain/dates.js';
import { CopyRows } from './binary-format.js';
import { copyIn } from './bulk/copy-in.js';
import type { Database } from './database.js';
import { recordingInstant } from './recording-instant.js';
import { literally, sql, tableOf } from './sql.js';
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
         select * from ${tableOf(files, { provider: 'varchar', to: 'date', url: 'text', sha256: 'text', bytes: 'int' })}
           as file (provider, last, url, sha256, bytes)
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

/** The part of the shipped rows from a day on that is older than all loaded ones. `isLast` if no row is older. */
export interface ShippedPart {
  rows: Iterable<RawRow>;
  from: CalendarDate;
  /** The day after the last one. */
  before: CalendarDate;
  isLast: boolean;
}

/**
 * Inserts a part of the shipped rows and notes them in their provider's run, which the last part finishes. A rate that was
 * recorded meanwhile stays. Returns the dates with new rates, ascending. Needs the data lock.
 */
export async function insertShipped(transaction: Transaction, part: ShippedPart) {
  const runs = await transaction.query<ShippedRun>(
    sql`select id, provider, ${recordingInstant} as at, 0 as added from ingest_runs where ${LOADING}`,
  );
  // The rates that were recorded meanwhile: usually none.
  const recorded = await transaction.query<Key>(
    sql`select provider, date::text, base, quote from rates
        where date >= ${part.from}::date and date < ${part.before}::date`,
  );
  const dates = new Set<CalendarDate>();
  const rows = encoded(part, { runs, known: new Set(recorded.map(keyOf)), dates });
  await copyIn(transaction, 'rates (provider, date, base, quote, rate, recorded_at, run)', [rows]);
  await noteRows(transaction, runs, part);
  // The last part's commit waits for all of them to be on disk. If PostgreSQL crashes before, the lost ones are loaded again.
  if (!part.isLast) await transaction.execute(sql`set local synchronous_commit = off`);
  return { rowsNew: runs.reduce((sum, { added }) => sum + added, 0), dates: [...dates].sort() };
}

interface ShippedRun {
  id: number;
  provider: string;
  /** The instant at which its rows are recorded. */
  at: Date;
  /** The number of rows of a part. */
  added: number;
}

/**
 * Encodes all rows before PostgreSQL stores them, so that this takes one processor at a time. Counts the rows in the runs, and
 * collects their dates.
 */
function encoded(
  { rows }: ShippedPart,
  given: { runs: readonly ShippedRun[]; known: ReadonlySet<string>; dates: Set<CalendarDate> },
): Buffer {
  const runOf = new Map(given.runs.map((run) => [run.provider, run]));
  const encoder = new CopyRows(7);
  for (const row of rows) {
    const run = runOf.get(row.provider);
    if (!run || (given.known.size > 0 && given.known.has(keyOf(row)))) continue;
    encoder.startRate(row);
    encoder.instant(run.at.getTime());
    encoder.integer(run.id);
    given.dates.add(row.date);
    run.added++;
  }
  return encoder.take();
}

type Key = Pick<RawRow, 'provider' | 'date' | 'base' | 'quote'>;

function keyOf({ provider, date, base, quote }: Key): string {
  return `${provider} ${date} ${base} ${quote}`;
}

async function noteRows(
  transaction: Transaction,
  runs: readonly ShippedRun[],
  { from, isLast }: ShippedPart,
): Promise<void> {
  await transaction.execute(
    sql`update ingest_runs as run set window_from = ${from}::date, rows_new = run.rows_new + counted.added,
          outcome = ${isLast ? 'succeeded' : 'running'}::run_outcome,
          finished_at = case when ${isLast} then ${recordingInstant} end
        from ${tableOf(runs, { id: 'int', added: 'int' })} as counted (id, added)
        where counted.id = run.id`,
  );
}
