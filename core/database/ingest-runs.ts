import type { CalendarDate } from '../domain/dates.js';
import { type Database, withPrisma } from './database.js';
import type { Prisma, RunOutcome } from './generated/prisma/client.js';
import { fromPrismaDate, sql, toPrismaDate } from './sql.js';
import { inTransaction, type PrismaTransaction, type Transaction } from './transactions.js';

/** One attempt to ingest a window, as it begins. */
export interface RunStart {
  provider: string;
  jobId?: string | undefined;
  reason: string;
  from: CalendarDate;
  to: CalendarDate;
  /** The reading number of the feed. */
  reading: number;
}

export interface RunCounts {
  rowsNew: number;
  rowsCorrected: number;
  rowsUnchanged: number;
  /** Rows left out by validation: how many for each reason. */
  rowsDropped: Record<string, number>;
}

/** What reading a window said, beside its rates. */
export interface ReadingCounts {
  /** Records that the feed skipped: how many for each reason. */
  rowsSkipped: Record<string, number>;
  /** Documented reasons for which responses had no rates: how many responses for each. */
  noData: Record<string, number>;
  /** Responses of the source, and the bytes of their bodies. */
  responses: number;
  responseBytes: number;
}

/** One attempt as it is remembered. What its reading said is not known of one whose reading failed. */
export interface IngestRun extends RunCounts, ReadingCounts {
  id: string;
  provider: string;
  /** The job that made it; null where an operator ran it by hand. */
  job: string | null;
  reason: string;
  from: CalendarDate;
  /** Null where the window had no end. */
  to: CalendarDate | null;
  outcome: RunOutcome;
  error: string | null;
  startedAt: Date;
  finishedAt: Date | null;
}

/** How many of its newest successes tell what a provider was asked for lately. */
export const PLANNED_BY_RUNS = 20;

const LEFT_BEHIND = 'its worker died in the midst of it';

/**
 * Writes that an attempt begins, and closes those that a dead worker left open. Only to be called by who holds
 * the provider's lock. Returns the run's id.
 */
export async function startRun(database: Database, run: RunStart): Promise<string> {
  const { provider: key, jobId, reason, from, to, reading } = run;
  const startedAt = new Date();
  return inTransaction(database, async ({ prisma }) => {
    // Runs before providers, as in `holdRun` and what follows it: two that lock both in another order would wait for ever.
    const { count } = await prisma.ingestRun.updateMany({
      where: { providerKey: key, outcome: 'running' },
      data: { outcome: 'failed', finishedAt: startedAt, error: LEFT_BEHIND },
    });
    await prisma.provider.upsert({
      where: { key },
      create: { key, lastAttemptAt: startedAt },
      update: { lastAttemptAt: startedAt, runsFailed: { increment: count } },
    });
    const { id } = await prisma.ingestRun.create({
      data: {
        providerKey: key,
        jobId: jobId ?? null,
        reason,
        from: toPrismaDate(from),
        to: toPrismaDate(to),
        startedAt,
        reading,
      },
      select: { id: true },
    });
    return id.toString();
  });
}

/** A run that another one of its provider has closed: what it read may be older than what is stored. */
class RunOver extends Error {
  override readonly name = 'RunOver';

  constructor(run: string, provider: string) {
    super(`run ${run} is over: another worker has begun one of ${provider}`);
  }
}

/**
 * Makes sure that a run is open, and that nobody begins another one of its provider until the transaction ends. The
 * provider's lock alone does not tell: a worker that was paused can have lost it. Throws a RunOver.
 */
export async function holdRun(transaction: Transaction, id: string, provider: string): Promise<void> {
  const open = await transaction.query(
    sql`select id::text from ingest_runs where id = ${id}::bigint and outcome = 'running' for update`,
  );
  if (open.length === 0) throw new RunOver(id, provider);
}

/**
 * Writes a run's success. Belongs in the transaction of its rows: both become visible, or neither. Throws a RunOver where
 * it has ended already.
 */
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
  if (!run) throw new RunOver(id, provider);
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

/** How an attempt failed. */
export interface RunFailure {
  /** One line that holds no secrets. */
  error: string;
  /**
   * Whether it is held against the provider: a worker that was stopped, or could not store what it read, says nothing
   * about the source, and a window that was set aside nothing new.
   */
  fault: 'provider' | 'worker' | 'window';
  /** Until when the source asks to be left alone, which is no failure of its. */
  askAfter?: Date | undefined;
  /** What the reading said, where it came to its end. */
  reading?: (ReadingCounts & Pick<RunCounts, 'rowsDropped'>) | undefined;
}

/** Writes a run's failure. Returns whether that is held against the provider: not where another run has closed it. */
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

/** The runs of a provider, newest first, `limit` at most; only those before the run `before`, where it is given. */
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

/** The newest run that a job made. */
export async function findRunOfJob(database: Database, job: string): Promise<IngestRun | undefined> {
  const [run] = await selectRuns(database, { where: { jobId: job }, take: 1 });
  return run;
}

/**
 * Forgets runs that began before an instant and recorded no rate. Those that did are evidence: rates and revisions refer
 * to them for good. Kept too are the newest successes of each provider, by which its next window is planned (see
 * `readPlanningStates`). Returns how many were forgotten.
 */
export async function pruneRuns(database: Database, before: Date): Promise<number> {
  return withPrisma(database, async (prisma) => {
    let pruned = 0;
    // A provider at a time, by the index, so that no transaction is long.
    for (const { key } of await prisma.provider.findMany({ select: { key: true } })) {
      pruned += await prisma.$executeRaw`
        delete from ingest_runs
        where provider = ${key} and started_at < ${before} and outcome <> 'running'
          and rows_new = 0 and rows_corrected = 0
          and id not in (
            select id from ingest_runs where provider = ${key} and outcome = 'succeeded' and reason not in ('backfill', 'retry')
            order by started_at desc limit ${PLANNED_BY_RUNS}
          )`;
    }
    return pruned;
  });
}

async function selectRuns(
  database: Database,
  which: Pick<Prisma.IngestRunFindManyArgs, 'where' | 'take'>,
): Promise<IngestRun[]> {
  const runs = await withPrisma(database, (prisma) =>
    prisma.ingestRun.findMany({ ...which, orderBy: { id: 'desc' } }),
  );
  return runs.map(({ id, providerKey, jobId, from, to, responseBytes, ...run }) => ({
    ...run,
    id: id.toString(),
    provider: providerKey,
    job: jobId,
    from: fromPrismaDate(from),
    to: to && fromPrismaDate(to),
    rowsDropped: run.rowsDropped as Record<string, number>,
    rowsSkipped: run.rowsSkipped as Record<string, number>,
    noData: run.noData as Record<string, number>,
    responseBytes: Number(responseBytes),
  }));
}
