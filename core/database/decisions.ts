import type { CalendarDate } from '../domain/dates.js';
import type { Database } from './database.js';
import { recordingInstant } from './recording-instant.js';
import { arrayOf, sql } from './sql.js';
import { isMemberOf, type ListedSuspect, readSuspects } from './suspects.js';
import type { Transaction } from './transactions.js';

/** `held` takes a decision back: the rule judges the rate again, as if nobody had decided. */
export type Verdict = 'accepted' | 'rejected' | 'held';

export interface Proposal {
  suspect: string;
  status: Verdict;
  /** Decides on this rate alone, not on the moved table that follows it. The rate leaves the question of its table. */
  only?: 'rate' | undefined;
}

export interface Decision extends Proposal {
  operator: string;
  /** Its ID in the audit log. */
  act: string;
}

/** The names in the audit log. */
export const DECIDING = {
  accepted: 'accept suspect',
  rejected: 'reject suspect',
  held: 'reopen suspect',
} as const satisfies Record<Verdict, string>;

/** Undefined if it does not exist, its provider has restated the rate, or it can only be decided on alone. */
export async function findDecidable(
  database: Database,
  { suspect, only }: Pick<Proposal, 'suspect' | 'only'>,
): Promise<ListedSuspect | undefined> {
  const [found] = await readSuspects(database, { id: suspect }, 1);
  if (!found || found.status === 'corrected') return undefined;
  return found.evidence.follows !== undefined && only === undefined ? undefined : found;
}

/**
 * Sets the status of a suspect and its moved table, except of rates with a later decision than `act`. Returns the rate's
 * provider and date; undefined if nothing changes. The caller holds the data lock, and blends the date again.
 */
export async function decide(
  transaction: Transaction,
  { suspect, status, only }: Proposal,
  { operator, act }: { operator: string; act?: string | undefined },
): Promise<{ provider: string; date: CalendarDate } | undefined> {
  const isUndone = status === 'held';
  const acts = arrayOf(Object.values(DECIDING));
  const [decided] = await transaction.query<{ provider: string; date: CalendarDate }>(
    sql`with question as (
          select * from suspects where id = ${suspect}::bigint
        ), decided as (
          update suspects as member set
            status = ${status}::suspect_status,
            evidence = case when ${only === 'rate' && !isUndone} then member.evidence - 'follows' else member.evidence end,
            confirmed_on = case when ${isUndone} then null else member.confirmed_on end,
            confirmed_by = case when ${isUndone} then null else member.confirmed_by end,
            resolved_at = case when ${isUndone} then null else ${recordingInstant} end,
            resolved_by = case when ${isUndone} then null else ${operator} end
          from question
          where (member.id = question.id or ${only === undefined} and ${isMemberOf('question')})
            and member.status not in ('corrected', ${status}::suspect_status)
            and (not ${isUndone} or member.status in ('accepted', 'rejected'))
            and not exists (
              select from operator_acts as later
              where later.id > ${act ?? null}::bigint and later.act = any(${acts}::text[]) and (
                details ->> 'suspect' = member.id::text
                or details ->> 'suspect' = question.id::text and details ->> 'only' is null))
          returning member.*
        ), state as (
          insert into suspect_states (suspect, since, status, reason, evidence)
          select id, ${recordingInstant}, status, reason, evidence from decided
          on conflict (suspect, since) do update set status = excluded.status, evidence = excluded.evidence
        )
        select provider, date::text from decided limit 1`,
  );
  return decided;
}
