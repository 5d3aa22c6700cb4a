import type { DateRange } from '../domain/periods.js';
import { instantLiteral } from './rates-at.js';
import { literally, sql } from './sql.js';
import type { Transaction } from './transactions.js';

/** A data version, as a publication names it. */
export interface NamedVersion {
  version: number;
  /** Milliseconds since 1970. */
  instant: number;
}

/** The newest data version, and how its blends were made. */
export interface NewestVersion extends NamedVersion {
  method: number;
}

/** Days of which something changed, and whose rates it was: null where it was more than one provider's. */
export interface Change extends DateRange {
  provider: string | null;
}

interface VersionRow extends Change {
  version: string;
  instant: string;
  method: number;
  excepted: string;
}

const VERSIONS = literally(
  `select version::text, changed_from::text as "from", changed_to::text as "to", provider, method, excepted,
     (extract(epoch from created_at) * 1000)::bigint::text as instant from data_versions as change`,
);

/** Undefined in a database that never had a data version. */
export async function newestPublishable(view: Transaction): Promise<NewestVersion | undefined> {
  const [newest] = await view.query<VersionRow>(sql`${VERSIONS} order by change.version desc limit 1`);
  return (
    newest && { version: Number(newest.version), instant: Number(newest.instant), method: newest.method }
  );
}

/**
 * What changed since a data version. Undefined where that can't be told: the database does not continue that version, or
 * blends by another method or of other providers since.
 */
export async function changesSince(
  view: Transaction,
  { version, instant }: NamedVersion,
): Promise<Change[] | undefined> {
  const [known, ...since] = await view.query<VersionRow>(
    sql`${VERSIONS} where change.version >= ${version}::bigint order by change.version`,
  );
  if (known?.version !== String(version) || known.instant !== String(instant)) return undefined;
  const isAsBefore = (row: VersionRow) => row.method === known.method && row.excepted === known.excepted;
  return since.every(isAsBefore)
    ? since.map(({ from, to, provider }) => ({ from, to, provider }))
    : undefined;
}

/** The providers of whose rates of some days any was recorded, or doubted or decided on, after an instant. */
export async function providersChanged(
  view: Transaction,
  { from, to }: DateRange,
  instant: number,
): Promise<string[]> {
  const after = literally(instantLiteral(instant));
  const rows = await view.query<{ provider: string }>(
    sql`select provider from rates
        where date between ${from}::date and ${to}::date and recorded_at > ${after}
        union
        select provider from suspects join suspect_states on suspect = suspects.id
        where date between ${from}::date and ${to}::date and since > ${after}`,
  );
  return rows.map(({ provider }) => provider).sort();
}

/** The years of UTC in which rates were replaced, after an instant or ever, ascending. */
export async function yearsOfRevisions(view: Transaction, instant: number | undefined): Promise<number[]> {
  const after = literally(instant === undefined ? 'true' : `replaced_at > ${instantLiteral(instant)}`);
  const rows = await view.query<{ year: number }>(
    sql`select distinct extract(year from replaced_at at time zone 'UTC')::int as year
        from rate_revisions where ${after} order by 1`,
  );
  return rows.map(({ year }) => year);
}
