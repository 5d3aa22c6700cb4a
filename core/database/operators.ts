import { type Database, withPrisma } from './database.js';

/** Something that an operator did through the API. */
export interface OperatorAct {
  /** The token, or a session by the first characters of its id. */
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

/** Writes down an act. */
export async function recordOperatorAct(database: Database, act: OperatorAct): Promise<void> {
  await withPrisma(database, (prisma) => prisma.operatorAct.create({ data: act }));
}

/** Acts, newest first, `limit` at most; only those before the act with the id `before`, where it is given. */
export async function readOperatorActs(
  database: Database,
  { limit, before }: { limit: number; before?: bigint | undefined },
): Promise<StoredOperatorAct[]> {
  return withPrisma(database, (prisma) =>
    prisma.operatorAct.findMany({
      orderBy: { id: 'desc' },
      take: limit,
      ...(before === undefined ? {} : { where: { id: { lt: before } } }),
    }),
  );
}

/** Whether the session is open at an instant. */
export async function isSessionOpen(database: Database, id: string, at: Date): Promise<boolean> {
  const session = await withPrisma(database, (prisma) =>
    prisma.operatorSession.findUnique({ where: { id, expiresAt: { gt: at } } }),
  );
  return session !== null;
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
