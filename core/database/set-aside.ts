import { type DateRange, toCalendarDate } from '../domain/dates.js';
import { type Database, withPrisma } from './database.js';
import type { SetAsideWindow as StoredWindow } from './generated/prisma/client.js';
import { toPrismaDate } from './sql.js';
import type { PrismaTransaction } from './transactions.js';

/** A backfill window that failed repeatedly, or an unreadable document. Both ends included. */
export type SetAsideWindow = DateRange & Omit<StoredWindow, 'from' | 'to'>;

/** Sets a window aside in the failed run's transaction, under the provider's lock. The backfill continues before it. */
export async function setAside(
  transaction: PrismaTransaction,
  { attempts, ...window }: Omit<SetAsideWindow, 'since'>,
): Promise<void> {
  await requarantine(transaction, window, attempts);
  const from = toPrismaDate(window.from);
  await transaction.prisma.provider.updateMany({
    where: { key: window.provider, backfilledTo: { gt: from } },
    data: { backfilledTo: from },
  });
}

/** Sets a window aside after this many attempts, or after one more than before. */
export async function requarantine(
  { prisma }: PrismaTransaction,
  { provider, reason, ...days }: Omit<SetAsideWindow, 'since' | 'attempts'>,
  attempts?: number,
): Promise<void> {
  const [from, to] = [toPrismaDate(days.from), toPrismaDate(days.to)];
  await prisma.setAsideWindow.upsert({
    where: { provider_from_to: { provider, from, to } },
    create: { provider, from, to, reason, attempts: attempts ?? 1 },
    update: { reason, attempts: attempts ?? { increment: 1 } },
  });
}

/** Removes the set-aside windows within ingested days, in their transaction, but not those of unreadable documents. */
export async function takeBackSetAside(
  { prisma }: PrismaTransaction,
  provider: string,
  ingested: DateRange,
  unread: readonly DateRange[] = [],
): Promise<void> {
  await prisma.setAsideWindow.deleteMany({
    where: {
      provider,
      from: { gte: toPrismaDate(ingested.from) },
      to: { lte: toPrismaDate(ingested.to) },
      NOT: unread.map(({ from, to }) => ({ from: toPrismaDate(from), to: toPrismaDate(to) })),
    },
  });
}

/** Whether another window of the provider succeeded after an instant. */
export async function hasSucceededSince(
  { prisma }: PrismaTransaction,
  provider: string,
  instant: Date,
): Promise<boolean> {
  const found = await prisma.provider.findUnique({
    where: { key: provider },
    select: { lastSuccessAt: true },
  });
  return Number(found?.lastSuccessAt) > instant.getTime();
}

/** The windows that are set aside, newest days first: of one provider, or of all by key. */
export async function readSetAside(database: Database, provider?: string): Promise<SetAsideWindow[]> {
  const rows = await withPrisma(database, (prisma) =>
    prisma.setAsideWindow.findMany({
      where: provider === undefined ? {} : { provider },
      orderBy: [{ provider: 'asc' }, { from: 'desc' }],
    }),
  );
  return rows.map(({ from, to, ...row }) => ({ ...row, from: toCalendarDate(from), to: toCalendarDate(to) }));
}
