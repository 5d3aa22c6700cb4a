import type { RawRow } from '../domain/blend/carry-forward.js';
import { type Confirmation, LEFT_OUT_STATUSES, type SuspectStatus } from '../domain/blend/suspect.js';
import type { SuspicionReason } from '../domain/blend/suspicion.js';
import type { CalendarDate, DateRange, DayWindow } from '../domain/dates.js';
import { isExcepted } from '../domain/providers.js';
import { blendedCondition, blendedPairCondition, shownCondition } from './bulk/blended-rows.js';
import type { Database } from './database.js';
import { ratesAt } from './rates.js';
import { recordingInstant } from './recording-instant.js';
import { SHIPPED } from './shipped-rates.js';
import {
  and,
  arrayOf,
  filterOfDays,
  literally,
  type RowFilter,
  rowConditions,
  type Sql,
  sql,
} from './sql.js';
import { rowsOf, type Transaction } from './transactions.js';

/** The rates that a suspect was compared with, converted to its own pair. */
export interface StoredEvidence {
  last?: { date: CalendarDate; rate: number };
  others?: readonly { provider: string; date: CalendarDate; rate: number }[];
  /** See `usualMove`. */
  usual?: number;
  /** The leader of its moved table, as `PROVIDER BASE QUOTE`. A decision on the leader also applies to this rate. */
  follows?: string;
}

export interface StoredSuspect extends RawRow {
  reason: SuspicionReason;
  expected: number;
  others: number;
  evidence: StoredEvidence;
  status: SuspectStatus;
}

export interface ListedSuspect extends StoredSuspect {
  id: string;
  /** A decision covers more than one rate for the leader of a moved table. */
  rates: number;
  /** Whether its rate shipped, and was not read here. */
  isShipped: boolean;
  suspectedAt: Date;
  resolvedAt: Date | null;
  resolvedBy: string | null;
}

/** With the observation date on which it was confirmed, and by what: see `Suspect`. */
export interface JudgedSuspect extends StoredSuspect {
  confirmedOn: CalendarDate | null;
  confirmedBy: Confirmation | null;
}

const JUDGED = literally(
  `suspects.provider, suspects.date::text, suspects.base, suspects.quote, suspects.rate, reason, expected, others,
   evidence, status::text, confirmed_on::text as "confirmedOn", confirmed_by as "confirmedBy"`,
);

/** Excludes suspects of excepted providers, which stay unchanged. */
export function suspectsBetween(transaction: Transaction, { from, to }: DateRange): Promise<JudgedSuspect[]> {
  return transaction.query(
    sql`select ${JUDGED} from suspects
        where date between ${from}::date and ${to}::date and ${shownCondition()}`,
  );
}

/** The condition that a suspect is held back, given only what is known of the days before one. */
const heldBefore = (day: CalendarDate): Sql => sql`(
  status = 'rejected' or status <> 'accepted' and (
    confirmed_on is null or confirmed_on >= ${day}::date))`;

/**
 * For each pair, the last ten suspects before a day that have no decision and were held back on the day
 * before `judgedFrom`: those confirmed since, and those still waiting. The latter exclude the pairs in
 * `except` (`PROVIDER BASE QUOTE`).
 */
export async function waitingBefore(
  transaction: Transaction,
  day: CalendarDate,
  { judgedFrom, except }: { judgedFrom: CalendarDate; except: readonly string[] },
): Promise<JudgedSuspect[]> {
  return transaction.query(
    sql`select ${JUDGED} from (
          select *, row_number() over (partition by provider, base, quote order by date desc) as number
          from suspects
          where date < ${day}::date and status not in ('accepted', 'rejected') and ${shownCondition()}
            and ${heldBefore(judgedFrom)}
            and (confirmed_on is not null
              or provider || ' ' || base || ' ' || quote not in (select unnest(${arrayOf(except)}::text[])))
        ) as suspects join rates using (provider, date, base, quote, rate)
        where number <= 10 order by suspects.date`,
  );
}

export interface LastTrusted {
  judgedFrom?: CalendarDate;
  /** As known then, in milliseconds since 1970. Without `judgedFrom`, leaves out those left out then. */
  knownAt?: number | undefined;
  /** Pairs, each as `PROVIDER BASE QUOTE`. */
  except?: readonly string[];
}

/** The last rates before a day, however old, of pairs that may be blended. */
export async function lastTrustedBefore(
  transaction: Transaction,
  day: CalendarDate,
  { judgedFrom, knownAt, except = [] }: LastTrusted,
): Promise<RawRow[]> {
  const leftOut = judgedFrom === undefined ? leftOutAt(knownAt) : heldBefore(judgedFrom);
  const name = literally("pair.provider || ' ' || pair.base || ' ' || pair.quote");
  return transaction.query(
    sql`select pair.provider, last.date::text, pair.base, pair.quote, last.rate
        from pair_coverage as pair cross join lateral (
          select date, rate from ${ratesAt(knownAt)} as rates
          where provider = pair.provider and base = pair.base and quote = pair.quote
            and date <= least(pair.end_date, ${day}::date - 1)
            and not exists (
              select from suspects
              where suspects.provider = rates.provider and suspects.date = rates.date and suspects.base = rates.base
                and suspects.quote = rates.quote and suspects.rate = rates.rate and ${leftOut})
            and ${blendedCondition()}
          order by date desc limit 1
        ) as last
        where start_date < ${day}::date and ${blendedPairCondition()}
          and ${name} not in (select unnest(${arrayOf(except)}::text[]))`,
  );
}

/** The status and evidence of suspect rates, current or as of an instant. Omits rates that were not suspect then. */
export async function statesOf(
  view: Transaction,
  rates: readonly RawRow[],
  knownAt: number | undefined,
): Promise<(RawRow & { status: SuspectStatus; evidence: StoredEvidence })[]> {
  return view.query(
    sql`select provider, date::text, base, quote, rate, known.status::text as status, known.evidence
        from suspects join jsonb_to_recordset(${JSON.stringify(rates)}::jsonb) as asked (
          provider varchar, date date, base varchar, quote varchar, rate float8)
        using (provider, date, base, quote, rate) cross join lateral ${stateAt(knownAt)} as known`,
  );
}

/** The first later day with a rate of any of the pairs (`PROVIDER BASE QUOTE`) or currencies. */
export async function nextDayWith(
  transaction: Transaction,
  day: CalendarDate,
  { pairs, currencies }: { pairs: readonly string[]; currencies: readonly string[] },
): Promise<CalendarDate | undefined> {
  const codes = sql`${arrayOf(currencies)}::varchar[]`;
  const [next] = await transaction.query<{ date: CalendarDate | null }>(
    sql`select min(next.date)::text as date
        from pair_coverage as pair cross join lateral (
          select date from rates
          where provider = pair.provider and base = pair.base and quote = pair.quote and date > ${day}::date
            and ${blendedCondition()}
          order by date limit 1
        ) as next
        where end_date > ${day}::date and ${blendedPairCondition()}
          and (base = any(${codes}) or quote = any(${codes})
            or pair.provider || ' ' || pair.base || ' ' || pair.quote in (select unnest(${arrayOf(pairs)}::text[])))`,
  );
  return next?.date ?? undefined;
}

/** Upserts undecided suspects. `isChanged`: their shown state differs from the stored one. Needs the data lock. */
export async function writeSuspects(
  transaction: Transaction,
  suspects: readonly (JudgedSuspect & { isChanged: boolean })[],
): Promise<void> {
  if (suspects.length === 0) return;
  await transaction.execute(
    sql`with fresh as (
          select * from jsonb_to_recordset(${JSON.stringify(suspects)}::jsonb) as fresh (
            provider varchar, date date, base varchar, quote varchar, rate float8, reason text, expected float8,
            others int, evidence jsonb, status suspect_status, "confirmedOn" date, "confirmedBy" text,
            "isChanged" boolean)
        ), written as (
          insert into suspects as known (provider, date, base, quote, rate, reason, expected, others, evidence, status,
            confirmed_on, confirmed_by, suspected_at, resolved_at)
          select provider, date, base, quote, rate, reason, expected, others, evidence, status, "confirmedOn",
            "confirmedBy", ${recordingInstant}, case when status <> 'held' then ${recordingInstant} end
          from fresh
          on conflict (provider, date, base, quote, rate) do update set
            reason = excluded.reason, expected = excluded.expected, others = excluded.others,
            evidence = excluded.evidence, confirmed_on = excluded.confirmed_on, confirmed_by = excluded.confirmed_by,
            status = excluded.status,
            resolved_at = case when known.status = excluded.status then known.resolved_at else excluded.resolved_at end
          where known.status not in ('accepted', 'rejected')
          returning id, provider, date, base, quote, rate, status, reason, evidence
        )
        insert into suspect_states (suspect, since, status, reason, evidence)
        select id, ${recordingInstant}, written.status, written.reason, written.evidence
        from written join fresh using (provider, date, base, quote, rate) where "isChanged"
        on conflict (suspect, since) do update set
          status = excluded.status, reason = excluded.reason, evidence = excluded.evidence`,
  );
}

/** The suspect was held back on its day or decided on, so it was not confirmed on the same day. */
export const WAS_HELD = literally(
  `(status in ('accepted', 'rejected') or confirmed_on is distinct from date)`,
);

export interface SuspectFilter extends RowFilter {
  /** Of any suspect, also one in the question of another. */
  id?: string | undefined;
  /** Only the other rates in the question with this ID. */
  inQuestion?: string | undefined;
  statuses?: readonly SuspectStatus[] | undefined;
  before?: string | undefined;
  /** Lists them by their days, instead of when they were found. Then `before` must be the ID of a suspect. */
  byDay?: boolean;
}

export type ReadSuspects = (filter: SuspectFilter, limit: number) => Promise<ListedSuspect[]>;

/** Newest first. The leader of a moved table stands for all of its rates. */
export function readSuspects(
  database: Database,
  { id, inQuestion, statuses, before, byDay = false, ...rows }: SuspectFilter,
  limit: number,
): Promise<ListedSuspect[]> {
  const members = sql`select member.id from suspects as leader, suspects as member
                      where leader.id = ${inQuestion}::bigint and ${isMemberOf('leader')}`;
  const ofBefore = sql`(select date, id from suspects where id = ${before}::bigint)`;
  const isQuestion = id === undefined && inQuestion === undefined;
  const conditions = [
    ...rowConditions(rows),
    id && sql`id = ${id}::bigint`,
    inQuestion && sql`id in (${members})`,
    isQuestion && sql`evidence->>'follows' is null`,
    statuses && sql`status::text = any(${arrayOf(statuses)}::text[])`,
    before && (byDay ? sql`(date, id) < ${ofBefore}` : sql`id < ${before}::bigint`),
  ];
  return rowsOf(
    database,
    sql`select id::text, provider, date::text, base, quote, rate, reason, expected, others, evidence,
      1 + (select count(*)::int from suspects as member where ${isMemberOf('suspects')}) as rates,
      exists (
        select from rates join ingest_runs on ingest_runs.id = run and reason = ${SHIPPED}
        where (rates.provider, rates.date, rates.base, rates.quote, rates.rate)
          = (suspects.provider, suspects.date, suspects.base, suspects.quote, suspects.rate)
      ) as "isShipped",
      status::text, suspected_at as "suspectedAt", resolved_at as "resolvedAt", resolved_by as "resolvedBy"
    from suspects
    where ${WAS_HELD} and ${shownCondition()} ${and(conditions)}
    order by ${literally(byDay ? 'suspects.date desc,' : '')} suspects.id desc limit ${limit}::int`,
  );
}

/** By status, the questions that `readSuspects` lists. */
export async function countSuspects(
  database: Database,
  rows: RowFilter,
): Promise<Partial<Record<SuspectStatus, number>>> {
  const counts = await rowsOf<{ status: SuspectStatus; count: number }>(
    database,
    sql`select status::text, count(*)::int as count from suspects
        where ${WAS_HELD} and ${shownCondition()} and evidence->>'follows' is null
          ${and(rowConditions(rows))}
        group by status`,
  );
  return Object.fromEntries(counts.map(({ status, count }) => [status, count]));
}

/** The rates that a suspect was compared with: its provider's last one, then those of others, without excepted ones. */
export function conflictingRates({
  provider,
  evidence: { last, others = [] },
}: Pick<StoredSuspect, 'provider' | 'evidence'>): { provider: string; date: CalendarDate; rate: number }[] {
  const shown = others.filter((other) => !isExcepted(other.provider));
  return [...(last ? [{ provider, ...last }] : []), ...shown];
}

export interface LeftOut extends Omit<RawRow, 'date'> {
  day: number;
  reason: SuspicionReason;
}

/** The rates left out of the blend, now or at an instant, in milliseconds since 1970. */
export async function readLeftOut(
  view: Transaction,
  { providers, knownAt, ...days }: Partial<DayWindow> & { providers?: readonly string[]; knownAt?: number },
): Promise<LeftOut[]> {
  return view.query(
    sql`select provider, date - '1970-01-01' as day, base, quote, rate, known.reason
        from suspects cross join lateral ${stateAt(knownAt)} as known
        where known.status in (${LEFT_OUT}) and ${shownCondition()}
          ${and(rowConditions({ providers, ...filterOfDays(days) }))}`,
  );
}

const LEFT_OUT = literally(LEFT_OUT_STATUSES.map((status) => `'${status}'`).join());

/** The condition that it is left out of the blend, now or at an instant, in milliseconds since 1970. */
export function leftOutAt(knownAt: number | undefined): Sql {
  return sql`(select status from ${stateAt(knownAt)} as known) in (${LEFT_OUT})`;
}

/** The status, reason and evidence of a suspect, now or at an instant. No row before its first state. */
function stateAt(knownAt: number | undefined): Sql {
  if (knownAt === undefined) return sql`(select suspects.status, suspects.reason, suspects.evidence)`;
  return sql`(select state.status, state.reason, state.evidence from suspect_states as state
              where state.suspect = suspects.id and state.since <= ${new Date(knownAt)}
              order by state.since desc limit 1)`;
}

/** Whether the suspect `member` still exists and is judged together with the leader. */
export function isMemberOf(leader: string): Sql {
  return literally(`member.provider = ${leader}.provider and member.date = ${leader}.date and member.status <> 'corrected'
    and (member.status <> 'confirmed' or member.confirmed_by is not null) and member.evidence->>'follows' = ${leader}.provider || ' ' || ${leader}.base || ' ' || ${leader}.quote`);
}
