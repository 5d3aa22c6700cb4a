import type { CalendarDate } from '../domain/dates.js';
import { type Database, withPrisma } from './database.js';
import { DECIDING, type Decision, type Proposal } from './decisions.js';
import { and, sql } from './sql.js';
import { rowsOf } from './transactions.js';

export interface OperatorAct {
  /** A token's name, or the first characters of a session's ID. */
  operator: string;
  client: string;
  act: string;
  details: Record<string, string | number | boolean | null>;
}

export async function recordOperatorAct(database: Database, act: OperatorAct): Promise<bigint> {
  const { id } = await withPrisma(database, (prisma) => prisma.operatorAct.create({ data: act }));
  return id;
}

/** Records a decision and returns it. The caller must still apply it. */
export async function recordDecision(
  database: Database,
  proposal: Proposal,
  by: Pick<OperatorAct, 'operator' | 'client'>,
): Promise<Decision> {
  const { suspect, status, only } = proposal;
  const details = { suspect, ...(only && { only }) };
  const act = await recordOperatorAct(database, { ...by, act: DECIDING[status], details });
  return { ...proposal, operator: by.operator, act: String(act) };
}

export type PendingJob = { id: string } & (
  | { queue: 'ingest'; wanted: { provider: string; from: CalendarDate; to?: CalendarDate } }
  | { queue: 'blend'; wanted: { window: null } | { decision: Decision } }
);

/** Records which job carries out an act, so that it is done even if the queue loses the job. */
export async function notePendingJob(database: Database, act: bigint, job: PendingJob): Promise<void> {
  await rowsOf(
    database,
    sql`update operator_acts set pending_job = ${JSON.stringify(job)}::jsonb, job = ${job.id} where id = ${act}`,
  );
}

export async function forgetPendingJobs(database: Database, which: Pick<PendingJob, 'id'>): Promise<void> {
  await rowsOf(
    database,
    sql`update operator_acts set pending_job = null where pending_job @> ${JSON.stringify(which)}::jsonb`,
  );
}

/** The jobs of acts that have not ended, oldest first. */
export async function readPendingJobs(database: Database): Promise<{ act: bigint; job: PendingJob }[]> {
  const rows = await rowsOf<{ act: string; job: PendingJob }>(
    database,
    sql`select id::text as act, pending_job as job from operator_acts where pending_job is not null
        order by operator_acts.id`,
  );
  return rows.map(({ act, job }) => ({ act: BigInt(act), job }));
}

export interface ActFilter {
  limit: number;
  /** Only acts older than the one with this ID. */
  before?: string | undefined;
  /** A part of the operator, the address of the client, the act, its details or the ID of its job. */
  about?: string | undefined;
  /** In UTC. */
  day?: CalendarDate | undefined;
}

/** Newest first. `job` is the ID of the job that the act added or retried. */
export async function readOperatorActs(
  database: Database,
  { limit, before, about = '', day }: ActFilter,
): Promise<(OperatorAct & { id: string; at: Date; job: string | null })[]> {
  const conditions = [
    before !== undefined && sql`id < ${before}::bigint`,
    day !== undefined && sql`(at at time zone 'UTC')::date = ${day}::date`,
    about !== '' &&
      sql`strpos(lower(concat_ws(' ', operator, client, act, details, job)), lower(${about})) > 0`,
  ];
  return rowsOf(
    database,
    sql`select id::text, at, operator, client, act, details,
          coalesce(job, pending_job ->> 'id', details ->> 'job') as job from operator_acts
        where true ${and(conditions)} order by operator_acts.id desc limit ${limit}`,
  );
}

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

/** Stores a session, and deletes sessions that have expired by then. */
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

export async function deleteAllSessions(database: Database): Promise<number> {
  const { count } = await withPrisma(database, (prisma) => prisma.operatorSession.deleteMany());
  return count;
}
