import type { DateRange } from '../domain/periods.js';
import { type DataVersion, versionsFrom } from './data-versions.js';
import { instantLiteral } from './rates-at.js';
import { literally, sql } from './sql.js';
import type { Transaction } from './transactions.js';

/** A data version, as a publication names it. */
export interface NamedVersion {
  version: number;
  /** Milliseconds since 1970. */
  instant: number;
}

/**
 * What changed since a data version. Undefined where that is unknown: the database does not continue that version, or
 * blends by another method or of other providers since.
 */
export async function changesSince(
  view: Transaction,
  { version, instant }: NamedVersion,
): Promise<DataVersion[] | undefined> {
  const [known, ...since] = await versionsFrom(view, BigInt(version));
  if (known?.version !== BigInt(version) || known.createdAt !== instant) return undefined;
  const isAsBefore = ({ method, excepted }: DataVersion) =>
    method === known.method && excepted === known.excepted;
  return since.every(isAsBefore) ? since : undefined;
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
