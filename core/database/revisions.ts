import type { RawRow } from '../domain/blend/carry-forward.js';
import { shownCondition } from './bulk/blended-rows.js';
import type { Database } from './database.js';
import { and, literally, type RowFilter, rowConditions, sql } from './sql.js';
import { rowsOf } from './transactions.js';

/** Why a rate was replaced: its source restated it, or a better feed reads it differently; null if unknown. */
export const REVISION_CAUSES = ['source', 'reading'] as const;
type RevisionCause = (typeof REVISION_CAUSES)[number];

/** A rate that was replaced (`was`), and its replacement. */
export interface Revision extends RawRow {
  id: string;
  was: number;
  /** Both sides of the replacement, and of the replaced rate. */
  sides: Record<'buy' | 'sell' | 'buy_was' | 'sell_was', number | null>;
  recordedAt: Date;
  replacedAt: Date;
  cause: RevisionCause | null;
}

/** Absent fields do not filter. */
export interface RevisionFilter extends RowFilter {
  /** In milliseconds since 1970, both included. */
  since?: number | undefined;
  until?: number | undefined;
  after?: Pick<Revision, 'id' | 'replacedAt'> | undefined;
}

/** A figure of what replaced a row of `rate_revisions as revision`: the next revision, or the current rate. */
export const replacementOf = (figure: string) =>
  literally(`coalesce(
  (select ${figure} from rate_revisions as later
   where later.provider = revision.provider and later.date = revision.date
     and later.base = revision.base and later.quote = revision.quote and later.id > revision.id
   order by later.id limit 1),
  (select ${figure} from rates
   where rates.provider = revision.provider and rates.date = revision.date
     and rates.base = revision.base and rates.quote = revision.quote))`);

export type ReadRevisions = (filter: RevisionFilter, limit: number) => Promise<Revision[]>;

export function readRevisions(
  database: Database,
  { since, until, after, ...rows }: RevisionFilter,
  limit: number,
): Promise<Revision[]> {
  const conditions = [
    ...rowConditions(rows),
    since !== undefined && sql`replaced_at >= ${new Date(since)}`,
    until !== undefined && sql`replaced_at <= ${new Date(until)}`,
    after && sql`(replaced_at, id) < (${after.replacedAt}, ${after.id}::bigint)`,
  ];
  return rowsOf(
    database,
    sql`select id::text, provider, date::text, base, quote, rate as was, recorded_at as "recordedAt",
      replaced_at as "replacedAt", cause::text, ${replacementOf('rate')} as rate,
      jsonb_build_object('buy_was', buy, 'sell_was', sell)
        || ${replacementOf(`jsonb_build_object('buy', buy, 'sell', sell)`)} as sides
    from rate_revisions as revision where ${shownCondition()} ${and(conditions)}
    order by revision.replaced_at desc, revision.id desc limit ${limit}::int`,
  );
}
