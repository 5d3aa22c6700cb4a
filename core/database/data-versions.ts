import type { CalendarDate, DateRange } from '../domain/dates.js';
import { BLEND_METHOD, exceptedProviders } from '../domain/providers.js';
import type { Database } from './database.js';
import { recordingInstant } from './recording-instant.js';
import { type Sql, sql } from './sql.js';
import { rowOf, type Transaction } from './transactions.js';

export interface DataVersion {
  version: bigint;
  /** First and last blended day that changed. */
  from: CalendarDate;
  to: CalendarDate;
  /** Null if several providers caused it. */
  provider: string | null;
  /** Milliseconds since 1970. */
  createdAt: number;
  /** The method of its blends, and the keys of the excepted providers, comma-separated. */
  method: number;
  excepted: string;
}

export function exceptedKeys(): string {
  return exceptedProviders().join();
}

/** Appends the data version of this transaction. `provider` is undefined if several caused it. */
export async function appendVersion(
  transaction: Transaction,
  changed: DateRange,
  provider: string | undefined,
): Promise<bigint> {
  const { version } = await rowOf<{ version: string }>(
    transaction,
    sql`insert into data_versions (changed_from, changed_to, provider, created_at, method, excepted)
        values (${changed.from}::date, ${changed.to}::date, ${provider ?? null}, ${recordingInstant},
          ${BLEND_METHOD}::int, ${exceptedKeys()})
        returning version::text`,
  );
  return BigInt(version);
}

/** 0 if there is none. */
export async function newestVersionNumber(from: Database | Transaction): Promise<bigint> {
  const { version } = await rowOf<{ version: string }>(
    from,
    sql`select coalesce(max(version), 0)::text as version from data_versions`,
  );
  return BigInt(version);
}

export async function newestVersion(transaction: Transaction): Promise<DataVersion | undefined> {
  const [newest] = await readVersions(transaction, sql`order by change.version desc limit 1`);
  return newest;
}

/** At most `limit` versions, ascending, starting at a number. */
export function versionsFrom(view: Transaction, version: bigint, limit?: number): Promise<DataVersion[]> {
  const from = sql`where change.version >= ${String(version)}::bigint`;
  return readVersions(view, sql`${from} order by change.version limit ${limit ?? null}::int`);
}

export function newestVersionsByMonth(view: Transaction): Promise<DataVersion[]> {
  const months = sql`provider, date_trunc('month', changed_from), date_trunc('month', changed_to)`;
  return readVersions(view, sql`order by ${months}, change.version desc`, sql`distinct on (${months})`);
}

async function readVersions(view: Transaction, which: Sql, distinct: Sql = sql``): Promise<DataVersion[]> {
  const rows = await view.query<Omit<DataVersion, 'version'> & { version: string }>(
    sql`select ${distinct} change.version::text, changed_from::text as "from", changed_to::text as "to", provider, method, excepted,
               (extract(epoch from created_at) * 1000)::bigint::float8 as "createdAt"
        from data_versions as change ${which}`,
  );
  return rows.map(({ version, ...row }) => ({ ...row, version: BigInt(version) }));
}

/**
 * The versions after one with its instant, in milliseconds since 1970. Undefined if unknown: the database does not continue
 * that version, or its method or excepted providers changed.
 */
export async function changesSince(
  view: Transaction,
  { version, instant }: { version: number; instant: number },
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
  const after = new Date(instant);
  const rows = await view.query<{ provider: string }>(
    sql`select provider from rates
        where date between ${from}::date and ${to}::date and recorded_at > ${after}
        union
        select provider from suspects join suspect_states on suspect = suspects.id
        where date between ${from}::date and ${to}::date and since > ${after}`,
  );
  return rows.map(({ provider }) => provider).sort();
}

export async function yearsOfRevisions(view: Transaction, instant = 0): Promise<number[]> {
  const rows = await view.query<{ year: number }>(
    sql`select distinct extract(year from replaced_at at time zone 'UTC')::int as year
        from rate_revisions where replaced_at > ${new Date(instant)} order by 1`,
  );
  return rows.map(({ year }) => year);
}
