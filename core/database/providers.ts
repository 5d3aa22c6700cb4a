import { addDays, type CalendarDate, type DateRange } from '../domain/dates.js';
import { needsKeyError } from '../domain/provider-status.js';
import { type Database, withPrisma } from './database.js';
import { askedForNews, PLANNED_BY_RUNS } from './ingest-runs.js';
import { type Sql, sql, toPrismaDate } from './sql.js';
import { type PrismaTransaction, rowOf, rowsOf, type Transaction } from './transactions.js';

export interface ProviderState {
  key: string;
  lastAttemptAt: Date | null;
  lastSuccessAt: Date | null;
  lastError: string | null;
  /** Start of the newest successful run that requested the rates of its own day. */
  newestReadAt: Date | null;
}

export async function readProviderStates(from: Database | Transaction): Promise<Map<string, ProviderState>> {
  const query = sql`
    select key, last_attempt_at as "lastAttemptAt", last_success_at as "lastSuccessAt", last_error as "lastError",
      (select started_at from ingest_runs
        where provider = key and outcome = 'succeeded' and ${askedForNews}
          and window_to >= (started_at at time zone 'UTC')::date
        order by started_at desc limit 1) as "newestReadAt"
    from providers`;
  const rows = await rowsOf<ProviderState>(from, query);
  return new Map(rows.map((row) => [row.key, row]));
}

/** Records a requested window if it has no gap to earlier ones. Call in the transaction of the window's rows. */
export async function extendBackfill(
  { prisma }: PrismaTransaction,
  provider: string,
  window: DateRange,
  today: CalendarDate,
): Promise<void> {
  const from = toPrismaDate(window.from);
  const goesOn = { backfilledTo: { gt: from, lte: toPrismaDate(addDays(window.to, 1)) } };
  await prisma.provider.updateMany({
    where: { key: provider, OR: [goesOn, ...(window.to >= today ? [{ backfilledTo: null }] : [])] },
    data: { backfilledTo: from },
  });
}

/** Starts the backfill again from today. Needs the provider's lock. False if already done for this reading number. */
export async function beginHistoryAgain(
  database: Database,
  provider: string,
  reading: number,
): Promise<boolean> {
  const isOlder = { OR: [{ reading: null }, { reading: { lt: reading } }] };
  const { count } = await withPrisma(database, (prisma) =>
    prisma.provider.updateMany({
      where: { key: provider, ...isOlder },
      data: { backfilledTo: null, reading },
    }),
  );
  return count > 0;
}

/** What was requested from a provider. All fields are null or false if nothing was. */
export interface PlanningState {
  /** Everything from this day up to `through` has been requested; null before the first response. */
  backfilledTo: CalendarDate | null;
  through: CalendarDate | null;
  endDate: CalendarDate | null;
  /** Null after a success. */
  lastError: string | null;
  /** Start of the newest successful scheduled or catch-up run; null if there is none. */
  askedAt: Date | null;
  /** When the first rates of its newest day, and of the day with rates before it, were recorded. */
  newestAt: Date | null;
  previousAt: Date | null;
  isIncomplete: boolean;
  /** The source asked not to be contacted before this instant. */
  askAfter: Date | null;
  /** The oldest reading number of its history; null if it was never read. */
  reading: number | null;
}

/** When the first of a provider's rates of a day was recorded, even if it was corrected later. */
function firstRecorded(day: Sql): Sql {
  return sql`
    select min(recorded_at) from (
      select recorded_at from rates where provider = key and date = ${day}
      union all select recorded_at from rate_revisions where provider = key and date = ${day}
    ) as records`;
}

export async function readPlanningState(database: Database, provider: string): Promise<PlanningState> {
  const query = sql`
    select backfilled_to::text as "backfilledTo", end_date::text as "endDate", last_error as "lastError",
      newest.through, newest."askedAt", ask_after as "askAfter", reading,
      (${firstRecorded(sql`end_date`)}) as "newestAt",
      (${firstRecorded(sql`(select max(date) from rates where provider = key and date < end_date)`)}) as "previousAt",
      exists (select from thin_days where provider = key and date = end_date) as "isIncomplete"
    from (values (${provider})) as wanted (key) left join providers using (key) cross join lateral (
      select max(window_to)::text as through,
        max(started_at) filter (where reason in ('schedule', 'catch-up')) as "askedAt"
      from (select window_to, started_at, reason from ingest_runs
            where provider = key and outcome = 'succeeded' and ${askedForNews}
            order by started_at desc limit ${PLANNED_BY_RUNS}) as runs
    ) as newest`;
  return rowOf(database, query);
}

/** Records the `needs_key` errors of providers without credentials, and clears those of all others. */
export async function noteMissingCredentials(
  database: Database,
  missing: ReadonlyMap<string, string>,
): Promise<void> {
  const keys = sql`${[...missing.keys()]}::varchar[]`;
  await rowsOf(
    database,
    sql`with noted as (
          insert into providers (key, last_error) select * from unnest(${keys}, ${[...missing.values()]}::text[])
          on conflict (key) do update set last_error = excluded.last_error
        )
        update providers set last_error = null
        where starts_with(last_error, ${needsKeyError([])}) and key <> all(${keys})`,
  );
}
