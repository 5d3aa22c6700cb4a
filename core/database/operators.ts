import type { CalendarDate } from '../domain/dates.js';
import { type Database, withPrisma } from './database.js';
import { arrayOf, sql } from './sql.js';
import type { Verdict } from './suspects.js';
import type { Transaction } from './transactions.js';

/** Something that an operator did through the API. */
export interface OperatorAct {
  /** The token by its name, or a session by the first characters of its id. */
  operator: string;
  /** The address that the request came from. */
  client: string;
  act: string;
  details: Record<string, string | number | boolean | null>;
}

/** An act as it is stored. */
export interface StoredOperatorAct extends Omit<OperatorAct, 'details'> {
  id: bigint;
  at: Date;
  details: unknown;
}

/** Writes down an act and returns its id. */
export async function recordOperatorAct(database: Database, act: OperatorAct): Promise<bigint> {
  const { id } = await withPrisma(database, (prisma) => prisma.operatorAct.create({ data: act }));
  return id;
}

/** What an operator decided on a suspect. */
export interface Decision {
  /** The suspect's id. */
  suspect: string;
  status: Verdict;
  operator: string;
  /** The id of the act by which it was decided. */
  act: string;
}

const DECIDING = { accepted: 'accept suspect', rejected: 'reject suspect' } as const satisfies Record<
  Verdict,
  string
>;

/** Writes down that an operator decides on a suspect, and returns the decision, which is still to be applied. */
export async function recordDecision(
  database: Database,
  { suspect, status }: Pick<Decision, 'suspect' | 'status'>,
  by: Pick<OperatorAct, 'operator' | 'client'>,
): Promise<Decision> {
  const act = await recordOperatorAct(database, { ...by, act: DECIDING[status], details: { suspect } });
  return { suspect, status, operator: by.operator, act: String(act) };
}

/** A job that carries out an act. */
export type PendingJob = { id: string } & (
  | { queue: 'ingest'; wanted: { provider: string; from: CalendarDate; to?: CalendarDate } }
  | { queue: 'blend'; wanted: { window: null } | { decision: Decision } }
);

/** Notes which job carries out an act: it is to be done even where the queue loses it. */
export async function notePendingJob(database: Database, act: bigint, job: PendingJob): Promise<void> {
  await withPrisma(
    database,
    (prisma) =>
      prisma.$executeRaw`update operator_acts set pending_job = ${JSON.stringify(job)}::jsonb where id = ${act}`,
  );
}

/** Notes that a job has ended, or that no job of a queue is to be done any more. */
export async function forgetPendingJobs(
  database: Database,
  which: Pick<PendingJob, 'id'> | Pick<PendingJob, 'queue'>,
): Promise<void> {
  await withPrisma(
    database,
    (prisma) =>
      prisma.$executeRaw`update operator_acts set pending_job = null where pending_job @> ${JSON.stringify(which)}::jsonb`,
  );
}

/** The jobs of acts that have not ended, oldest first. */
export async function readPendingJobs(database: Database): Promise<{ act: bigint; job: PendingJob }[]> {
  return withPrisma(
    database,
    (prisma) =>
      prisma.$queryRaw<{ act: bigint; job: PendingJob }[]>`
        select id as act, pending_job as job from operator_acts where pending_job is not null order by id`,
  );
}

/** Whether an operator has decided on the same suspect since. */
export async function isOvertaken(transaction: Transaction, { suspect, act }: Decision): Promise<boolean> {
  const later = await transaction.query(
    sql`select id::text from operator_acts
        where id > ${act}::bigint and act = any(${arrayOf(Object.values(DECIDING))}::text[])
          and details ->> 'suspect' = ${suspect} limit 1`,
  );
  return later.length > 0;
}

/** Acts, newest first, `limit` at most; only those before the act with the id `before`, where it is given. */
export async function readOperatorActs(
  database: Database,
  { limit, before }: { limit: number; before?: bigint | undefined },
): Promise<StoredOperatorAct[]> {
  return withPrisma(database, (prisma) =>
    prisma.operatorAct.findMany({
      omit: { pendingJob: true },
      orderBy: { id: 'desc' },
      take: limit,
      ...(before === undefined ? {} : { where: { id: { lt: before } } }),
    }),
  );
}

/** The one of these sessions that is open at an instant; undefined where none is. */
export async function findOpenSession(
  database: Database,
  ids: string[],
  at: Date,
): Promise<string | undefined> {
  const session = await withPrisma(database, (prisma) =>
    prisma.operatorSession.findFirst({ where: { id: { in: ids }, expiresAt: { gt: at } } }),
  );
  return session?.id;
}

/** Stores a session, and forgets those that are over at its creation. */
export async function createSession(
  database: Database,
  { id, client, createdAt, expiresAt }: { id: string; client: string; createdAt: Date; expiresAt: Date },
): Promise<void> {
  await withPrisma(database, async (prisma) => {
    await prisma.operatorSession.deleteMany({ where: { expiresAt: { lte: createdAt } } });
    await prisma.operatorSession.create({ data: { id, client, createdAt, expiresAt } });
  });
}

export async function deleteSession(database: Database, id: string): Promise<void> {
  await withPrisma(database, (prisma) => prisma.operatorSession.deleteMany({ where: { id } }));
}

/** Deletes all sessions and gives how many there were. */
export async function deleteAllSessions(database: Database): Promise<number> {
  const { count } = await withPrisma(database, (prisma) => prisma.operatorSession.deleteMany());
  return count;
}
