import { literally, type Sql, sql } from './sql.js';
import type { Transaction } from './transactions.js';

/** How many earlier versions are searched for one that was recorded in the same millisecond as a later one. */
const CONCURRENT_VERSIONS = 10_000n;

/**
 * The table of the rates (provider, date, base, quote, rate), as the view sees it, or as it was at a data version that
 * `isOverlapped` does not exclude.
 *
 * A transaction that changes rates records one instant: in its data version, in the rates that it writes, and as the end
 * of those that it replaces. So a rate belongs to a version unless its instant is that of a later version, and one that
 * was replaced still belongs to it if it was replaced at the instant of a later version.
 */
export function ratesAt(dataVersion: bigint | undefined): Sql {
  if (dataVersion === undefined) return literally('rates');
  const later = `(select created_at from data_versions where version > ${dataVersion})`;
  return literally(`(
    select provider, date, base, quote, rate from rates where recorded_at not in ${later}
    union all
    select provider, date, base, quote, rate from rate_revisions
    where recorded_at not in ${later} and replaced_at in ${later}
  )`);
}

/**
 * Whether a version and a later one were recorded in the same millisecond, so that their rates can't be told apart.
 * It takes two writers that begin at once.
 */
export async function isOverlapped(transaction: Transaction, dataVersion: bigint): Promise<boolean> {
  const version = sql`${dataVersion.toString()}::bigint`;
  const rows = await transaction.query(
    sql`select true as found from data_versions
        where version > ${version} - ${CONCURRENT_VERSIONS.toString()}::bigint and version <= ${version}
          and created_at in (select created_at from data_versions where version > ${version})
        limit 1`,
  );
  return rows.length > 0;
}
