import { literally, type Sql } from './sql.js';

/**
 * The table of rates, as the view sees it, or as it was known at an instant, in milliseconds since 1970. A
 * transaction records all of its rates at one instant, later than those of earlier transactions, so the
 * instant of a data version identifies exactly its rates.
 */
export function ratesAt(knownAt: number | undefined): Sql {
  if (knownAt === undefined) return literally('rates');
  const instant = instantLiteral(knownAt);
  return literally(`(
    select provider, date, base, quote, rate, recorded_at, run from rates where recorded_at <= ${instant}
    union all
    select provider, date, base, quote, rate, recorded_at, run from rate_revisions
    where recorded_at <= ${instant} and replaced_at > ${instant}
  )`);
}

/** An instant, in milliseconds since 1970, as an SQL literal. COPY takes no parameters. */
export function instantLiteral(milliseconds: number): string {
  return `'${new Date(milliseconds).toISOString()}'::timestamptz`;
}
