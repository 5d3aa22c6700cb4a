import { addDays, type CalendarDate } from '../domain/dates.js';
import type { Database } from './database.js';
import { arrayOf, sql } from './sql.js';
import type { ListedSuspect } from './suspects.js';
import { rowsOf } from './transactions.js';

interface DatedRate {
  date: CalendarDate;
  rate: number;
}

/** Rates of a suspect's pair by day: those of its source, and the median of the sources that it was compared with. */
export type RatesAround = Awaited<ReturnType<typeof readRatesAround>>;

const DAYS = 60;

/** The days before and after a suspect. Rates of other pairs are converted by the blends, for a chart. */
export async function readRatesAround(
  database: Database,
  { provider, date, base, quote, evidence }: ListedSuspect,
) {
  const days = sql`date between ${addDays(date, -DAYS)}::date and ${addDays(date, DAYS)}::date`;
  const keys = [...new Set(evidence.others?.map((other) => other.provider))];
  const codes = sql`${arrayOf([base, quote].filter((code) => code !== 'USD'))}::varchar[]`;
  const own = sql`select date::text, rate from rates
                  where provider = ${provider} and base = ${base} and quote = ${quote} and ${days} order by rates.date`;
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
  return { own: await rowsOf<DatedRate>(database, own), others: await rowsOf<DatedRate>(database, others) };
}
