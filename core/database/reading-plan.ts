import { type Database, withPrisma } from './database.js';
import { sql } from './sql.js';
import { rowsOf, type Transaction } from './transactions.js';

export interface ReadingPlan {
  /** The keys of the sources that are read by schedule. Empty with `SCHEDULE=off`. */
  sources: string[];
  /** Since when sources are read; if `sources` is empty, since when none is. */
  since: Date;
  seenAt: Date;
}

/** Workers report their plan every minute. After this time without a report, no worker is running. */
export const PLAN_LASTS_MS = 180_000;

/** Reports what a worker reads. One that reads nothing does not replace a current report of another worker. */
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

/** The last report, possibly an old one; null before the first. */
export async function readReadingPlan(from: Database | Transaction): Promise<ReadingPlan | null> {
  const [found] = await rowsOf<Omit<ReadingPlan, 'sources'> & { sources: string }>(
    from,
    sql`select sources, since, seen_at as "seenAt" from reading_plan`,
  );
  return found ? { ...found, sources: found.sources.split(',').filter((key) => key !== '') } : null;
}
