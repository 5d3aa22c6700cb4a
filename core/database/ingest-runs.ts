import { type CalendarDate, type DateRange, toCalendarDate } from '../domain/dates.js';
import { type Database, withPrisma } from './database.js';
import type { Prisma } from './generated/prisma/client.js';
import { SHIPPED } from './shipped-rates.js';
import { literally, sql } from './sql.js';
import { type PrismaTransaction, rowOf, rowsOf, type Transaction } from './transactions.js';

export interface RunStart {
  provider: string;
  jobId?: string | undefined;
  reason: string;
  from: CalendarDate;
  to: CalendarDate;
  reading: number;
}

export interface RunCounts {
  rowsNew: number;
  rowsCorrected: number;
  rowsUnchanged: number;
  /** Rows dropped by validation, or by an import because their provider is excepted, counted by reason. */
  rowsDropped: Record<string, number>;
}

export interface ReadingCounts {
  /** Records skipped by the feed, counted by reason. */
  rowsSkipped: Record<string, number>;
  /** Responses without rates for a documented reason, counted by reason. */
  noData: Record<string, number>;
  /** The number of responses from the source, and the total bytes of their bodies. */
  responses: number;
  responseBytes: number;
}

/** A recorded attempt. If reading failed, the reading counts are unknown. `to` is null if the window was open-ended. */
export type IngestRun = Awaited<ReturnType<typeof selectRuns>>[number];

/** The number of newest successful runs that show which windows of a provider were recently requested. */
export const PLANNED_BY_RUNS = 20;

/** SQL: whether a run requested the newest days. Excludes runs that read the past, and the run of shipped rates. */
export const askedForNews = literally(`reason not in ('backfill', 'retry', '${SHIPPED}')`);

const LEFT_BEHIND = 'its process ended while it ran';

/** Records the start of an attempt, under the provider's lock, and closes the runs of processes that have ended. Returns the ID. */
export async function startRun(
  database: Database,
  { provider, jobId, reason, from, to, reading }: RunStart,
): Promise<string> {
  const now = new Date();
  // Update runs before providers, as `holdRun` and the code after it do: locking in another order could deadlock.
  const run = await rowOf<{ id: string }>(
    database,
    sql`with left_behind as (
          update ingest_runs set outcome = 'failed', finished_at = ${now}, error = ${LEFT_BEHIND}
          where provider = ${provider} and outcome = 'running' and reason <> ${SHIPPED} returning id
        ), attempted as (
          insert into providers as known (key, last_attempt_at, runs_failed)
            select ${provider}, ${now}, count(*) from left_behind
          on conflict (key) do update set
            last_attempt_at = excluded.last_attempt_at, runs_failed = known.runs_failed + excluded.runs_failed
        )
        insert into ingest_runs (provider, job_id, reason, window_from, window_to, started_at, reading)
          values (${provider}, ${jobId ?? null}, ${reason}, ${from}, ${to}, ${now}, ${reading}) returning id::text`,
  );
  return run.id;
}

/** The run was closed by another run of its provider. What it read may be older than what is stored. */
function runOver(run: string, provider: string): Error {
  return new Error(`run ${run} is over: another worker has begun one of ${provider}`);
}

/**
 * Ensures that a run is open, and that no other run of its provider starts until the transaction ends. The
 * provider's lock is not enough, as a worker that was paused may have lost it. Throws if the run has ended.
 */
export async function holdRun(transaction: Transaction, id: string, provider: string): Promise<void> {
  const open = await transaction.query(
    sql`select id::text from ingest_runs where id = ${id}::bigint and outcome = 'running' for update`,
  );
  if (open.length === 0) throw runOver(id, provider);
}

/** Records success in the transaction of the run's rows. Throws if the run has already ended. */
export async function succeedRun(
  { prisma }: PrismaTransaction,
  id: string,
  provider: string,
  counts: RunCounts & ReadingCounts,
): Promise<void> {
  const finishedAt = new Date();
  const [run] = await prisma.ingestRun.updateManyAndReturn({
    where: { id: BigInt(id), outcome: 'running' },
    data: { outcome: 'succeeded', finishedAt, ...counts },
    select: { reading: true },
  });
  if (!run) throw runOver(id, provider);
  await prisma.provider.update({
    where: { key: provider },
    data: {
      lastSuccessAt: finishedAt,
      lastError: null,
      askAfter: null,
      runsSucceeded: { increment: 1 },
      rowsNew: { increment: counts.rowsNew },
      rowsCorrected: { increment: counts.rowsCorrected },
      ...leftOut(counts),
    },
  });
  await prisma.provider.updateMany({
    where: { key: provider, OR: [{ reading: null }, { reading: { gt: run.reading ?? 1 } }] },
    data: { reading: run.reading ?? 1 },
  });
}

function leftOut({
  rowsDropped,
  rowsSkipped,
}: Pick<RunCounts & ReadingCounts, 'rowsDropped' | 'rowsSkipped'>) {
  const sum = (counts: Record<string, number>) => Object.values(counts).reduce((all, one) => all + one, 0);
  return { rowsDropped: { increment: sum(rowsDropped) }, rowsSkipped: { increment: sum(rowsSkipped) } };
}

export interface RunFailure {
  /** A single line without secrets. */
  error: string;
  /** Only `provider` counts against it. `worker`: stopped, or could not store the rows. `window`: already set aside. */
  fault: 'provider' | 'worker' | 'window';
  /** The source asked not to be contacted before this instant. This is not a failure of the source. */
  askAfter?: Date | undefined;
  reading?: (ReadingCounts & Pick<RunCounts, 'rowsDropped'>) | undefined;
}

/** Records a failure. Returns whether it counts against the provider, which it does not if the run was closed. */
export async function failRun(
  { prisma }: PrismaTransaction,
  id: string,
  provider: string,
  { error, fault, askAfter, reading }: RunFailure,
): Promise<boolean> {
  const { count } = await prisma.ingestRun.updateMany({
    where: { id: BigInt(id), outcome: 'running' },
    data: { outcome: 'failed', finishedAt: new Date(), error, ...reading },
  });
  if (count === 0) return false;
  const isHeldAgainst = fault === 'provider' && askAfter === undefined;
  await prisma.provider.update({
    where: { key: provider },
    data: {
      runsFailed: { increment: 1 },
      ...(reading ? leftOut(reading) : {}),
      ...(isHeldAgainst ? { lastError: error } : {}),
      ...(askAfter && { askAfter }),
    },
  });
  return isHeldAgainst;
}

/** Newest first. With `before`, only runs older than that one. */
export async function findRuns(
  database: Database,
  provider: string,
  { limit, before }: { limit: number; before?: string | undefined },
): Promise<IngestRun[]> {
  return selectRuns(database, {
    where: { providerKey: provider, ...(before === undefined ? {} : { id: { lt: BigInt(before) } }) },
    take: limit,
  });
}

export async function findRunOfJob(database: Database, job: string): Promise<IngestRun | undefined> {
  const [run] = await selectRuns(database, { where: { jobId: job }, take: 1 });
  return run;
}

/** How many reads of a day (UTC) have succeeded and failed. */
export type DayOfReads = Record<'succeeded' | 'failed', number> & { date: CalendarDate };

/** One for each day of the range, also without reads. Without the run of shipped rates. */
export async function readDaysOfReads(database: Database, { from, to }: DateRange): Promise<DayOfReads[]> {
  return rowsOf(
    database,
    sql`with reads as (
          select (started_at at time zone 'UTC')::date as day, outcome
          from providers join ingest_runs on provider = key
          where started_at >= ${from}::timestamp at time zone 'UTC' and reason <> ${SHIPPED}
        )
        select day::date::text as date, count(*) filter (where outcome = 'succeeded')::int as succeeded,
          count(*) filter (where outcome = 'failed')::int as failed
        from generate_series(${from}::date, ${to}::date, interval '1 day') as day left join reads using (day)
        group by day order by day`,
  );
}

/**
 * Deletes runs that started before an instant and recorded no rate, as rates and revisions reference the
 * others permanently. Keeps each provider's newest successes, which determine its next window (see
 * `readPlanningState`).
 */
export async function pruneRuns(database: Database, before: Date): Promise<number> {
  return withPrisma(
    database,
    (prisma) => prisma.$executeRaw`
      delete from ingest_runs
      where started_at < ${before} and outcome <> 'running' and rows_new = 0 and rows_corrected = 0
        and id not in (
          select newest.id from providers cross join lateral (
            select id from ingest_runs where provider = key and outcome = 'succeeded' and ${askedForNews}
            order by started_at desc limit ${PLANNED_BY_RUNS}
          ) as newest
        )`,
  );
}

async function selectRuns(database: Database, which: Pick<Prisma.IngestRunFindManyArgs, 'where' | 'take'>) {
  const runs = await withPrisma(database, (prisma) =>
    prisma.ingestRun.findMany({ ...which, orderBy: { id: 'desc' } }),
  );
  return runs.map(({ id, providerKey, jobId, from, to, responseBytes, ...run }) => ({
    ...run,
    id: id.toString(),
    provider: providerKey,
    job: jobId,
    from: toCalendarDate(from),
    to: to && toCalendarDate(to),
    rowsDropped: run.rowsDropped as Record<string, number>,
    rowsSkipped: run.rowsSkipped as Record<string, number>,
    noData: run.noData as Record<string, number>,
    responseBytes: Number(responseBytes),
  }));
}
