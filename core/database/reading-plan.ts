import { type Database, withPrisma } from './database.js';
import { sql } from './sql.js';
import { rowsOf, type Transaction } from './transactions.js';

/** What the workers read of their own accord, as one of them said last. */
export interface ReadingPlan {
  /** The keys of the sources that are asked by schedule: none with `SCHEDULE=off`. */
  sources: string[];
  /** Since when sources are read, or none are. */
  since: Date;
  /** When a worker said so last. */
  seenAt: Date;
}

/** A worker says what it reads every minute: one that has not for so long is no more. */
export const PLAN_LASTS_MS = 180_000;

/**
 * Says what a worker reads at the instant `now`. One that reads nothing says so only where no other has said what it
 * reads: it may be there to take jobs that others plan.
 */
export async function noteReadingPlan(
  database: Database,
  sources: readonly string[],
  now: Date,
): Promise<void> {
  const lasts = sql`reading_plan.seen_at > ${new Date(now.getTime() - PLAN_LASTS_MS)}`;
  const goesOn = sql`${lasts} and (reading_plan.sources = '') = (excluded.sources = '')`;
  await withPrisma(
    database,
    (prisma) => prisma.$executeRaw`
      insert into reading_plan (sources, since, seen_at) values (${sources.join()}, ${now}, ${now})
      on conflict (id) do update set sources = excluded.sources, seen_at = excluded.seen_at,
        since = case when ${goesOn} then reading_plan.since else excluded.since end
      where excluded.sources <> '' or reading_plan.sources = '' or not (${lasts})`,
  );
}

/** Takes back what was said: a worker ends. Others say their own within a minute. */
export async function forgetReadingPlan(database: Database): Promise<void> {
  await withPrisma(database, (prisma) => prisma.readingPlan.deleteMany());
}

/** What was said last; null where no worker is there to say it. It may be long ago. */
export async function readReadingPlan(from: Database | Transaction): Promise<ReadingPlan | null> {
  const [found] = await rowsOf<Omit<ReadingPlan, 'sources'> & { sources: string }>(
    from,
    sql`select sources, since, seen_at as "seenAt" from reading_plan`,
  );
  return found ? { ...found, sources: found.sources.split(',').filter((key) => key !== '') } : null;
}
