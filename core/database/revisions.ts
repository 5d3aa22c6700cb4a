import type { CalendarDate } from '../domain/dates.js';
import { shownCondition } from './bulk/blended-rows.js';
import { type Database, poolOf } from './database.js';
import { asDatabaseError } from './errors.js';
import { arrayOf, literally, sql } from './sql.js';

/** Why a rate was replaced: its source restated it, or a better feed reads it differently; null if unknown. */
export const REVISION_CAUSES = ['source', 'reading'] as const;
export type RevisionCause = (typeof REVISION_CAUSES)[number];

/** A rate that was replaced, and its replacement. */
export interface Revision {
  id: string;
  provider: string;
  date: CalendarDate;
  base: string;
  quote: string;
  /** The replacement. */
  rate: number;
  was: number;
  recordedAt: Date;
  replacedAt: Date;
  cause: RevisionCause | null;
}

/** Which revisions to list. Absent fields do not filter. */
export interface RevisionFilter {
  /** Replaced at or after `since`, or before `until`, in milliseconds since 1970. */
  since?: number | undefined;
  until?: number | undefined;
  providers?: readonly string[] | undefined;
  /** Revisions of pairs with one of these currencies on either side. */
  currencies?: readonly string[] | undefined;
  /** First and last observation date. */
  from?: CalendarDate | undefined;
  to?: CalendarDate | undefined;
  /** Only revisions that come after this one in the list. */
  after?: Pick<Revision, 'id' | 'replacedAt'> | undefined;
}

/** The rate that replaced a row of `rate_revisions as revision`: that of the next revision, or the current one. */
export const REPLACEMENT = `coalesce(
  (select later.rate from rate_revisions as later
   where later.provider = revision.provider and later.date = revision.date
     and later.base = revision.base and later.quote = revision.quote and later.id > revision.id
   order by later.id limit 1),
  (select rates.rate from rates
   where rates.provider = revision.provider and rates.date = revision.date
     and rates.base = revision.base and rates.quote = revision.quote))`;

/** See `readRevisions`. */
export type ReadRevisions = (filter: RevisionFilter, limit: number) => Promise<Revision[]>;

/** At most `limit` revisions, newest first. */
export async function readRevisions(
  database: Database,
  { since, until, providers, currencies, from, to, after }: RevisionFilter,
  limit: number,
): Promise<Revision[]> {
  const conditions = [
    since !== undefined && sql`replaced_at >= ${new Date(since)}`,
    until !== undefined && sql`replaced_at <= ${new Date(until)}`,
    providers && sql`provider = any(${arrayOf(providers)}::varchar[])`,
    currencies &&
      sql`(base = any(${arrayOf(currencies)}::varchar[]) or quote = any(${arrayOf(currencies)}::varchar[]))`,
    from && sql`date >= ${from}::date`,
    to && sql`date <= ${to}::date`,
    after && sql`(replaced_at, id) < (${after.replacedAt}, ${after.id}::bigint)`,
  ].filter((condition) => typeof condition === 'object');
  const where = conditions.reduce((all, one) => sql`${all} and ${one}`, literally(shownCondition()));
  const { text, values } = sql`
    select id::text, provider, date::text, base, quote, rate as was, recorded_at as "recordedAt",
      replaced_at as "replacedAt", cause::text,
      ${literally(REPLACEMENT)} as rate
    from rate_revisions as revision where ${where}
    order by revision.replaced_at desc, revision.id desc limit ${limit}::int`;
  try {
    return (await poolOf(database).query<Revision>({ text, values })).rows;
  } catch (error) {
    throw asDatabaseError(error);
  }
}
