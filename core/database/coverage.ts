import { type CalendarDate, type DateRange, union } from '../domain/dates.js';
import { pegs } from '../domain/pegs.js';
import { exceptedProviders } from '../domain/providers.js';
import { blendedPairCondition, blendedUntil } from './bulk/blended-rows.js';
import type { Database } from './database.js';
import { arrayOf, type Sql, sql, tableOf } from './sql.js';
import { rowOf, rowsOf, type Transaction } from './transactions.js';

/** Keyed by provider, then by any currency of its pairs. */
export type Coverage = ReadonlyMap<string, ReadonlyMap<string, DateRange>>;

/** The first and the last day on which a provider published a pair. */
export interface PairSpan extends DateRange {
  provider: string;
  base: string;
  quote: string;
}

const SPAN_TYPES = { provider: 'varchar', base: 'varchar', quote: 'varchar', from: 'date', to: 'date' };

/**
 * Extends the spans, and ensures that their providers have a row. Spans never shrink, except those of currencies in
 * `renewCurrencies`, as rows are never deleted.
 */
export async function extendCoverage(transaction: Transaction, spans: readonly PairSpan[]): Promise<void> {
  await extendBy(transaction, sql`select * from ${tableOf(spans, SPAN_TYPES)}`);
}

/** Like `extendCoverage`, by rows of a provider, a base, a quote, and the first and the last day. */
export async function extendBy(transaction: Transaction, spans: Sql): Promise<void> {
  await transaction.execute(
    sql`with span (provider, base, quote, first, last) as (${spans}), published as (
          insert into providers as known (key, start_date, end_date)
          select provider, min(first), max(last) from span group by provider
          on conflict (key) do update set
            start_date = least(known.start_date, excluded.start_date), end_date = greatest(known.end_date, excluded.end_date)
          where known.start_date is null or excluded.start_date < known.start_date or excluded.end_date > known.end_date
        )
        insert into pair_coverage as known (provider, base, quote, start_date, end_date) select * from span
        on conflict (provider, base, quote) do update set
          start_date = least(known.start_date, excluded.start_date), end_date = greatest(known.end_date, excluded.end_date)
        where excluded.start_date < known.start_date or excluded.end_date > known.end_date`,
  );
  await refreshCurrencies(transaction);
}

/** Recomputes the spans of currencies from the providers that are blended now. */
export async function renewCurrencies(transaction: Transaction): Promise<void> {
  await transaction.execute(sql`delete from currencies`);
  await refreshCurrencies(transaction);
}

/** The pegs as rows (quote, base, rate, since, until) for a FROM clause. `until` is infinity for a peg without an end. */
const pegTable = sql`${tableOf(
  pegs.map(({ until = 'infinity', ...peg }) => ({ ...peg, until })),
  { quote: 'varchar', base: 'varchar', rate: 'float8', since: 'date', until: 'date' },
)} as peg (quote, base, rate, since, until)`;

/** Recomputes currencies from blended pairs, up to the end of a currency. A peg adds the days of its anchor. */
async function refreshCurrencies(transaction: Transaction): Promise<void> {
  await transaction.execute(
    sql`with
       published as (
         select code, min(start_date) as start_date, max(${blendedUntil()}) as end_date
         from pair_coverage cross join lateral (values (base), (quote)) as side (code)
         where ${blendedPairCondition()} group by code
       ),
       pegged as (
         select peg.quote as code, greatest(peg.since, anchor.start_date) as start_date,
                least(peg.until - 1, anchor.end_date) as end_date
         from ${pegTable}
         join published as anchor
           on anchor.code = peg.base and anchor.end_date >= peg.since and anchor.start_date < peg.until
       )
     insert into currencies (code, start_date, end_date)
     select code, min(start_date), max(end_date)
     from (select * from published union all select * from pegged) as spans
     group by code
     except select code, start_date, end_date from currencies
     on conflict (code) do update set start_date = excluded.start_date, end_date = excluded.end_date`,
  );
}

/** The newest day with rates; a day before all others if the database is empty. */
export async function newestDayOfRates(transaction: Transaction): Promise<CalendarDate> {
  const { date } = await rowOf<{ date: CalendarDate }>(
    transaction,
    sql`select coalesce(max(end_date)::text, '') as date from pair_coverage`,
  );
  return date;
}

/** The currencies that occur in every pair of a provider, by provider. */
export async function readHubs(transaction: Transaction): Promise<Map<string, readonly string[]>> {
  const rows = await transaction.query<{ provider: string; codes: string[] }>(
    sql`with
          pairs as (select provider, count(*) from pair_coverage group by provider),
          sides as (
            select provider, code, count(*)
            from pair_coverage cross join lateral (values (base), (quote)) as side (code)
            group by provider, code
          )
        select provider, array_agg(code::text) as codes
        from sides join pairs using (provider, count) group by provider`,
  );
  return new Map(rows.map(({ provider, codes }) => [provider, codes]));
}

/** Excludes excepted providers. */
export async function readCoverage(from: Database | Transaction): Promise<Coverage> {
  const rows = await rowsOf<DateRange & { provider: string; base: string; quote: string }>(
    from,
    sql`select provider, base, quote, start_date::text as "from", end_date::text as "to" from pair_coverage
        where provider <> all(${arrayOf(exceptedProviders())}::text[])`,
  );
  const coverage = new Map<string, Map<string, DateRange>>();
  for (const { provider, base, quote, from, to } of rows) {
    const spans = coverage.get(provider) ?? new Map<string, DateRange>();
    for (const currency of [base, quote]) spans.set(currency, union(spans.get(currency), { from, to }));
    coverage.set(provider, spans);
  }
  return coverage;
}

export async function readCurrencies(from: Database | Transaction): Promise<Map<string, DateRange>> {
  const rows = await rowsOf<DateRange & { code: string }>(
    from,
    sql`select code, start_date::text as "from", end_date::text as "to" from currencies`,
  );
  return new Map(rows.map(({ code, ...span }) => [code, span]));
}
