import { addDays, type CalendarDate } from '../domain/dates.js';
import { groupBy } from '../domain/group-by.js';
import type { Database } from './database.js';
import { arrayOf, sql } from './sql.js';
import type { ListedSuspect } from './suspects.js';
import { rowsOf } from './transactions.js';

export interface DatedRate {
  date: CalendarDate;
  rate: number;
}

/** Rates of a suspect's pair by day: those of its source, and the median of the sources that it was compared with. */
export type RatesAround = Awaited<ReturnType<typeof readRatesAround>>;

const DAYS = 60;

/** The days before and after a suspect. Rates of other pairs are converted by the blends, for a chart. */
export async function readRatesAround(
  database: Database,
  { id, date, base, quote, evidence }: ListedSuspect,
) {
  const days = sql`date between ${addDays(date, -DAYS)}::date and ${addDays(date, DAYS)}::date`;
  const keys = [...new Set(evidence.others?.map((other) => other.provider))];
  const codes = sql`${arrayOf([base, quote].filter((code) => code !== 'USD'))}::varchar[]`;
  const others = sql`
    with given as (
      select date, base, quote, rate from rates
      where provider = any(${arrayOf(keys)}::varchar[]) and (base = any(${codes}) or quote = any(${codes})) and ${days}
    ), turned as (
      select * from given union all select date, quote, base, 1 / rate from given
    ), converted as (
      select date, rate
        * case when base = ${base} then 1 else
            (select rate from blended_days where date = turned.date and quote = turned.base)
            / (select rate from blended_days where date = turned.date and quote = ${base}) end
        * case when quote = ${quote} then 1 else
            (select rate from blended_days where date = turned.date and quote = ${quote})
            / (select rate from blended_days as blend where date = turned.date and blend.quote = turned.quote) end as rate
      from turned where base = ${base} or quote = ${quote}
    )
    select date::text, percentile_cont(0.5) within group (order by rate) as rate
    from converted where rate is not null group by converted.date order by converted.date`;
  const own = await readOwnRates(database, [{ id }]);
  return { own: own.get(id) ?? [], others: await rowsOf<DatedRate>(database, others) };
}

/** The rates of the pairs of suspects by their sources, 60 days before and after each, by the ID of the suspect. */
export async function readOwnRates(
  database: Database,
  suspects: readonly Pick<ListedSuspect, 'id'>[],
): Promise<ReadonlyMap<string, readonly DatedRate[]>> {
  const ids = arrayOf(suspects.map(({ id }) => id));
  const rows = await rowsOf<DatedRate & { id: string }>(
    database,
    sql`select suspects.id::text, rates.date::text, rates.rate
        from suspects join rates using (provider, base, quote)
        where suspects.id = any(${ids}::bigint[])
          and rates.date between suspects.date - ${DAYS}::int and suspects.date + ${DAYS}::int
        order by rates.date`,
  );
  return groupBy(rows, ({ id }) => id);
}
