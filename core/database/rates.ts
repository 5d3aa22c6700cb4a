import { columnsOf } from '../columns/columns.js';
import { digestOf } from '../columns/digest.js';
import { blendedPeriods } from '../columns/means.js';
import type { CalendarDate, DateRange } from '../domain/dates.js';
import type { SidedRow } from '../domain/sides.js';
import { readBlendedSeries } from './bulk/read-series.js';
import { newestVersion } from './data-versions.js';
import type { Database } from './database.js';
import { recordingInstant } from './recording-instant.js';
import { arrayOf, instantLiteral, literally, type Sql, sql, tableOf } from './sql.js';
import { inOneView, type Transaction } from './transactions.js';

export interface Upserted {
  rowsNew: number;
  rowsCorrected: number;
  /** Dates with new or corrected rows, ascending. */
  changedDates: CalendarDate[];
}

/** `reading` is `Feed.reading`. */
export interface RecordingRun {
  id: string;
  reading: number;
}

const TYPES = {
  date: 'date',
  base: 'varchar',
  quote: 'varchar',
  rate: 'float8',
  buy: 'float8',
  sell: 'float8',
};

/**
 * Upserts rates, each key at most once. Keeps replaced ones as revisions, and leaves those whose rate and sides are equal.
 * A row without sides replaces one that has some: what its source says now is what is stored. Needs the data lock.
 */
export async function upsertRates(
  transaction: Transaction,
  provider: string,
  rows: readonly Omit<SidedRow, 'provider'>[],
  run?: RecordingRun,
): Promise<Upserted> {
  return upsertSelected(transaction, sql`select ${provider}::varchar, * from ${tableOf(rows, TYPES)}`, run);
}

/**
 * Upserts the rows of a query of (provider, date, base, quote, rate, buy, sell). If a rate or a side differs, the cause is
 * `source` if both runs have the same reading number, `reading` if not, and unknown without a run.
 */
export async function upsertSelected(
  transaction: Transaction,
  selected: Sql,
  run?: RecordingRun,
): Promise<Upserted> {
  const [id, reading] = [sql`${run?.id ?? null}::int`, sql`${run?.reading ?? null}::int`];
  // All parts of the statement see the table as it was before, so the revisions get the old figures.
  const rows = await transaction.query<{ date: CalendarDate; added: number; corrected: number }>(
    sql`with
       given (provider, date, base, quote, rate, buy, sell) as materialized (${selected}),
       known as materialized (
         select given.*, stored.rate as old_rate, stored.buy as old_buy, stored.sell as old_sell,
                stored.recorded_at, stored.run,
                (given.rate, given.buy, given.sell) is distinct from (stored.rate, stored.buy, stored.sell) as differs
         from given join rates as stored using (provider, date, base, quote)
       ),
       revised as (
         insert into rate_revisions
           (provider, date, base, quote, rate, buy, sell, recorded_at, replaced_at, run, cause)
         select known.provider, date, base, quote, old_rate, old_buy, old_sell, recorded_at, ${recordingInstant}, run,
                case when before.reading = ${reading} then 'source' when before.reading <> ${reading} then 'reading' end::revision_cause
         from known left join ingest_runs as before on before.id = known.run where differs
       ),
       corrected as (
         update rates as stored set rate = known.rate, buy = known.buy, sell = known.sell,
           recorded_at = ${recordingInstant}, run = ${id}
         from known
         where differs
           and stored.provider = known.provider and stored.date = known.date
           and stored.base = known.base and stored.quote = known.quote
         returning stored.date
       ),
       added as (
         insert into rates (provider, date, base, quote, rate, buy, sell, recorded_at, run)
         select given.*, ${recordingInstant}, ${id} from given
         where not exists (
           select from known
           where known.provider = given.provider and known.date = given.date
             and known.base = given.base and known.quote = given.quote
         )
         returning date
       )
     select date::text, count(*) filter (where new)::int as added,
            count(*) filter (where not new)::int as corrected
     from (select date, true from added union all select date, false from corrected) as changed (date, new)
     group by changed.date order by changed.date`,
  );
  return {
    rowsNew: rows.reduce((sum, { added }) => sum + added, 0),
    rowsCorrected: rows.reduce((sum, { corrected }) => sum + corrected, 0),
    changedDates: rows.map(({ date }) => date),
  };
}

export async function hasRates(transaction: Transaction): Promise<boolean> {
  const rows = await transaction.query(sql`select true as found from rates limit 1`);
  return rows.length > 0;
}

/** First and last day with rates of any of the providers, up to a day. `knownAt`: see `ratesAt`. */
export async function spanOfRates(
  transaction: Transaction,
  providers: readonly string[],
  upTo: CalendarDate,
  knownAt?: number,
): Promise<DateRange | undefined> {
  // The first and last day of each provider are at the ends of its range in the primary key.
  const [span] = await transaction.query<DateRange>(
    sql`select min(span.first)::text as "from", max(span.newest)::text as "to"
        from unnest(${arrayOf(providers)}::text[]) as key,
        lateral (select min(date) as first, max(date) as newest
                 from ${ratesAt(knownAt)} as rates
                 where provider = key and date <= ${upTo}::date) as span
        having min(span.first) is not null`,
  );
  return span;
}

/**
 * The table of rates, as the view sees it, or as it was known at an instant, in milliseconds since 1970. A
 * transaction records all of its rates at one instant, later than those of earlier transactions, so the
 * instant of a data version identifies exactly its rates.
 */
export function ratesAt(knownAt: number | undefined): Sql {
  if (knownAt === undefined) return literally('rates');
  const instant = instantLiteral(knownAt);
  return literally(`(
    select provider, date, base, quote, rate, buy, sell, recorded_at, run from rates where recorded_at <= ${instant}
    union all
    select provider, date, base, quote, rate, buy, sell, recorded_at, run from rate_revisions
    where recorded_at <= ${instant} and replaced_at > ${instant}
  )`);
}

/** The digests at the newest data version (0 if none), in one view. */
export async function digestBlends(database: Database) {
  return inOneView(database, async (view) => {
    const version = (await newestVersion(view))?.version ?? 0n;
    return { version, periods: await readDigests(view) };
  });
}

/** The digests of the blended days, and of the means of weeks and months. */
export async function readDigests(transaction: Transaction) {
  const digests = digestOf(blendedPeriods(columnsOf(await readBlendedSeries(transaction))));
  return (['day', 'week', 'month'] as const).map((period) => ({ period, ...digests[period] }));
}
