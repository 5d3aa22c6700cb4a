import type { Suspect as SuspectFigure, SuspectStatus } from '../domain/blend/judge.js';
import type { SuspicionReason } from '../domain/blend/suspicion.js';
import { type CalendarDate, dayNumber, fromDayNumber } from '../domain/dates.js';
import type { DateRange } from '../domain/periods.js';
import { type Database, poolOf } from './database.js';
import { asDatabaseError } from './errors.js';
import { instantLiteral } from './rates-at.js';
import { recordingInstant } from './recording-instant.js';
import { arrayOf, literally, type Sql, sql } from './sql.js';
import type { Transaction } from './transactions.js';

/** What a suspect rate is about. */
interface Pair {
  provider: string;
  date: CalendarDate;
  base: string;
  quote: string;
  rate: number;
}

/** A suspect rate as it is stored. */
export interface StoredSuspect extends Pair {
  reason: SuspicionReason;
  /** The rate that it was held against. */
  expected: number;
  /** How many other sources gave the currency that day. */
  others: number;
  status: SuspectStatus;
}

/** The same with its history. */
export interface ListedSuspect extends StoredSuspect {
  id: string;
  suspectedAt: Date;
  resolvedAt: Date | null;
  resolvedBy: string | null;
}

/** What judging the days of a window needs besides its rows. */
export interface Precedents {
  suspects: StoredSuspect[];
  /** The last figures of the judged providers before the window. */
  last: Pair[];
}

/**
 * Reads the suspects of a window, and of the judged providers also those that are left out elsewhere, with the last
 * table of rates that each of these published before the window.
 */
export async function readPrecedents(
  transaction: Transaction,
  { from, to }: DateRange,
  judged: readonly string[],
): Promise<Precedents> {
  const keys = sql`${arrayOf(judged)}::varchar[]`;
  const rows = await transaction.query<StoredSuspect | (Pair & { status: null })>(
    sql`select provider, date::text, base, quote, rate, reason, expected, others, status::text
        from suspects
        where date between ${from}::date and ${to}::date
           or (provider = any(${keys}) and status in ('held', 'rejected'))
        union all
        select row.provider, row.date::text, row.base, row.quote, row.rate, null, null, null, null
        from unnest(${keys}) as key
          cross join lateral (
            select max(date) as newest from rates where provider = key and date < ${from}::date
          ) as before
          join rates as row on row.provider = key and row.date = before.newest`,
  );
  const suspects: StoredSuspect[] = [];
  const last: Pair[] = [];
  for (const row of rows) {
    if (row.status === null) last.push(row);
    else suspects.push(row);
  }
  return { suspects, last };
}

/** Writes new suspects, and what became of known ones. The caller holds the data lock. */
export async function writeSuspects(
  transaction: Transaction,
  suspects: readonly SuspectFigure[],
): Promise<void> {
  if (suspects.length === 0) return;
  const column = <T extends string | number>(value: (suspect: SuspectFigure) => T) =>
    arrayOf(suspects.map(value));
  await transaction.execute(
    sql`with written as (
        insert into suspects (provider, date, base, quote, rate, reason, expected, others, status, suspected_at, resolved_at)
        select provider, date, base, quote, rate, reason, expected, others, status::suspect_status,
               ${recordingInstant}, case when status <> 'held' then ${recordingInstant} end
        from unnest(
          ${column(({ series }) => series.provider)}::varchar[],
          ${column(({ day }) => fromDayNumber(day))}::date[],
          ${column(({ series }) => series.base)}::varchar[],
          ${column(({ series }) => series.quote)}::varchar[],
          ${column(({ rate }) => rate)}::float8[],
          ${column(({ reason }) => reason)}::text[],
          ${column(({ expected }) => expected)}::float8[],
          ${column(({ others }) => others)}::int[],
          ${column(({ status }) => status)}::text[]
        ) as fresh (provider, date, base, quote, rate, reason, expected, others, status)
        on conflict (provider, date, base, quote, rate)
          do update set status = excluded.status, resolved_at = excluded.resolved_at
        returning id, status
        )
        insert into suspect_states (suspect, since, status) select id, ${recordingInstant}, status from written
        on conflict (suspect, since) do update set status = excluded.status`,
  );
}

/** Which suspects to list; all where a field is absent. */
export interface SuspectFilter {
  providers?: readonly string[] | undefined;
  /** Suspects of pairs that name one of these currencies, on either side. */
  currencies?: readonly string[] | undefined;
  from?: CalendarDate | undefined;
  to?: CalendarDate | undefined;
  statuses?: readonly SuspectStatus[] | undefined;
  /** Only those that were suspected before the one with this id. */
  before?: string | undefined;
}

/** Suspects, the last that were found first, `limit` at most. */
export async function readSuspects(
  database: Database,
  { providers, currencies, from, to, statuses, before }: SuspectFilter,
  limit: number,
): Promise<ListedSuspect[]> {
  const conditions = [
    providers && sql`provider = any(${arrayOf(providers)}::varchar[])`,
    currencies &&
      sql`(base = any(${arrayOf(currencies)}::varchar[]) or quote = any(${arrayOf(currencies)}::varchar[]))`,
    from && sql`date >= ${from}::date`,
    to && sql`date <= ${to}::date`,
    statuses && sql`status::text = any(${arrayOf(statuses)}::text[])`,
    before && sql`id < ${before}::bigint`,
  ].filter((condition) => condition !== undefined && condition !== '');
  const { text, values } =
    sql`select id::text, provider, date::text, base, quote, rate, reason, expected, others,
      status::text, suspected_at as "suspectedAt", resolved_at as "resolvedAt", resolved_by as "resolvedBy"
    from suspects where true ${conditions.map((condition) => sql`and ${condition}`).reduce((all, one) => sql`${all} ${one}`, sql``)}
    order by suspects.id desc limit ${limit}::int`;
  try {
    return (await poolOf(database).query<ListedSuspect>({ text, values })).rows;
  } catch (error) {
    throw asDatabaseError(error);
  }
}

/** A rate of a provider that is left out of the blend, and why it was doubted. */
export interface LeftOut extends Omit<Pair, 'date'> {
  day: number;
  reason: SuspicionReason;
}

/**
 * The rates that are left out of the blend: of some providers, or of the days of a window; with an instant, in
 * milliseconds since 1970, those that were left out then.
 */
export async function readLeftOut(
  view: Transaction,
  {
    providers,
    from,
    to,
    knownAt,
  }: { providers?: readonly string[]; from?: number; to?: number; knownAt?: number },
): Promise<LeftOut[]> {
  const rows = await view.query<Pair & { reason: SuspicionReason }>(
    sql`select provider, date::text, base, quote, rate, reason from suspects
        where ${leftOutAt(knownAt)}
          and (${providers === undefined} or provider = any(${arrayOf(providers ?? [])}::varchar[]))
          and date between ${from === undefined ? '-infinity' : fromDayNumber(from)}::date
                       and ${to === undefined ? 'infinity' : fromDayNumber(to)}::date`,
  );
  return rows.map(({ date, ...row }) => ({ ...row, day: dayNumber(date) }));
}

/** The condition that a suspect is left out of the blend; with an instant, in milliseconds since 1970, that it was then. */
export function leftOutAt(knownAt: number | undefined): Sql {
  const status =
    knownAt === undefined
      ? sql`status`
      : sql`(select state.status from suspect_states as state
             where state.suspect = suspects.id and state.since <= ${literally(instantLiteral(knownAt))}
             order by state.since desc limit 1)`;
  return sql`${status} in ('held', 'rejected')`;
}

/** Decides on a suspect. The caller holds the data lock. Undefined where there is none with this id, or its provider has restated the rate. */
export async function resolveSuspect(
  transaction: Transaction,
  id: string,
  status: 'accepted' | 'rejected',
  operator: string,
): Promise<StoredSuspect | undefined> {
  const [resolved] = await transaction.query<StoredSuspect>(
    sql`with resolved as (
          update suspects
          set status = ${status}::suspect_status, resolved_at = ${recordingInstant}, resolved_by = ${operator}
          where id = ${id}::bigint and status <> 'corrected'
          returning *
        ), state as (
          insert into suspect_states (suspect, since, status) select id, resolved_at, status from resolved
          on conflict (suspect, since) do update set status = excluded.status
        )
        select provider, date::text, base, quote, rate, reason, expected, others, status::text from resolved`,
  );
  return resolved;
}
