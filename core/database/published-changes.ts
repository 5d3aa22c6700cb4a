import type { DateRange } from '../domain/periods.js';
import { type DataVersion, versionsFrom } from './data-versions.js';
import { instantLiteral } from './rates-at.js';
import { literally, sql } from './sql.js';
import type { Transaction } from './transactions.js';

export interface NamedVersion {
  version: number;
  /** Milliseconds since 1970. */
  instant: number;
}

/** Undefined if unknown: the database does not continue that version, or its method or excepted providers changed. */
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

/** The providers with a rate in a range of days that was recorded, or changed its suspect state, after an instant. */
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

export async function yearsOfRevisions(view: Transaction, instant: number | undefined): Promise<number[]> {
  const after = literally(instant === undefined ? 'true' : `replaced_at > ${instantLiteral(instant)}`);
  const rows = await view.query<{ year: number }>(
    sql`select distinct extract(year from replaced_at at time zone 'UTC')::int as year
        from rate_revisions where ${after} order by 1`,
  );
  return rows.map(({ year }) => year);
}
