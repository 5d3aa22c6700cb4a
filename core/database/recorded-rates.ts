import type { CalendarDate } from '../domain/dates.js';
import { type Database, poolOf } from './database.js';
import { asDatabaseError } from './errors.js';
import { instantLiteral } from './rates-at.js';
import { arrayOf, literally, sql } from './sql.js';

/** What a rate is identified by. */
interface RateKey {
  provider: string;
  date: CalendarDate;
  base: string;
  quote: string;
}

/** When a rate was recorded, and by which run; null where that is not known. */
export interface Recorded {
  recordedAt: Date;
  run: number | null;
}

/**
 * When each of some rates was recorded, of what was known at an instant, in milliseconds since 1970. In the order of the
 * keys; undefined for a rate that was not known then.
 */
export async function readRecorded(
  database: Database,
  keys: readonly RateKey[],
  knownAt: number,
): Promise<(Recorded | undefined)[]> {
  const instant = literally(instantLiteral(knownAt));
  const same = literally(
    'provider = wanted.provider and date = wanted.date and base = wanted.base and quote = wanted.quote',
  );
  const { text, values } = sql`
    select n::int as number, recorded_at as "recordedAt", run
    from unnest(
      ${arrayOf(keys.map(({ provider }) => provider))}::varchar[],
      ${arrayOf(keys.map(({ date }) => date))}::date[],
      ${arrayOf(keys.map(({ base }) => base))}::varchar[],
      ${arrayOf(keys.map(({ quote }) => quote))}::varchar[]
    ) with ordinality as wanted (provider, date, base, quote, n)
    cross join lateral (
      select recorded_at, run from rates where ${same} and recorded_at <= ${instant}
      union all
      select recorded_at, run from rate_revisions
      where ${same} and recorded_at <= ${instant} and replaced_at > ${instant}
    ) as known`;
  try {
    const { rows } = await poolOf(database).query<Recorded & { number: number }>({ text, values });
    const byNumber = new Map(rows.map(({ number, ...row }) => [number, row]));
    return keys.map((_, index) => byNumber.get(index + 1));
  } catch (error) {
    throw asDatabaseError(error);
  }
}
