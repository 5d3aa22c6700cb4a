import type { RawRow } from '../domain/blend/carry-forward.js';
import type { SuspicionReason } from '../domain/blend/suspicion.js';
import { fromDayNumber } from '../domain/dates.js';
import { blendedCondition } from './bulk/blended-rows.js';
import { ratesAt } from './rates-at.js';
import { arrayOf, literally, sql } from './sql.js';
import { leftOutAt } from './suspects.js';
import type { Transaction } from './transactions.js';

/** A row that the rate of a currency may be made of. */
export interface RowBehind extends RawRow {
  /** The currency. */
  for: string;
  recordedAt: Date;
  /** The run that recorded it; null where that is not known. */
  run: number | null;
  /** Why it is left out of blends as suspect; null where it is not. */
  suspicion: SuspicionReason | null;
}

/** A currency whose rate is wanted, and the days whose rows count, as day numbers, both included. */
export interface WantedCurrency {
  currency: string;
  from: number;
  to: number;
}

interface RowsBehindOptions {
  /** The currency that pairs are converted through. */
  pivot: string;
  /** Only the rows of these providers; undefined for all. One provider's rates are all its rows. */
  providers: readonly string[] | undefined;
  /** Rates as they were known at this instant: see `ratesAt`. */
  knownAt: number | undefined;
}

/**
 * The newest rows that the rates of currencies per unit of the pivot may be made of: for each currency those of all pairs
 * that name it, and those by which the same provider brings the other currencies of these pairs to the pivot; of several
 * providers, only pairs that are brought to it so. Of a pair the newest that is suspect and the newest that is not. In no
 * particular order.
 */
export async function readRowsBehind(
  view: Transaction,
  wanted: readonly WantedCurrency[],
  { pivot, providers, knownAt }: RowsBehindOptions,
): Promise<RowBehind[]> {
  if (wanted.length === 0) return [];
  const first = fromDayNumber(Math.min(...wanted.map(({ from }) => from)));
  const last = fromDayNumber(Math.max(...wanted.map(({ to }) => to)));
  const days = sql`date between ${first}::date and ${last}::date`;
  const codes = sql`${arrayOf([...wanted.map(({ currency }) => currency), pivot])}::varchar[]`;
  const isOne = providers?.length === 1;
  return view.query<RowBehind>(sql`
    with wanted as (
      select * from unnest(
        ${arrayOf(wanted.map(({ currency }) => currency))}::varchar[],
        ${arrayOf(wanted.map(({ from }) => fromDayNumber(from)))}::date[],
        ${arrayOf(wanted.map(({ to }) => fromDayNumber(to)))}::date[]
      ) as wanted (code, since, until)
    ), known as materialized (
      select * from ${ratesAt(knownAt)} as rates
      where ${days} and (base = any(${codes}) or quote = any(${codes}))
        and (${providers === undefined} or provider = any(${arrayOf(providers ?? [])}::varchar[]))
        and ${literally(isOne ? 'true' : blendedCondition())}
    ), named as (
      select code, provider, date, base, quote, rate, recorded_at, run from known join wanted on date between since and until and code in (base, quote)
    ), others as (
      select distinct code, provider, case base when code then quote else base end as other from named
    ), bridges as (
      select code, provider, date, base, quote, rate, recorded_at, run, other
      from known join wanted on date between since and until and code not in (base, quote)
        join others using (code, provider)
      where (base = ${pivot} and quote = other) or (quote = ${pivot} and base = other)
    ), suspect as (
      select provider, date, base, quote, rate, reason from suspects where ${days} and ${leftOutAt(knownAt)}
    )
    select distinct on (code, provider, base, quote, reason is null)
      code as for, provider, date::text, base, quote, rate, recorded_at as "recordedAt", run, reason as suspicion
    from (
      select * from named
      where ${isOne} or ${pivot} in (base, quote)
        or (code, provider, case base when code then quote else base end) in (select code, provider, other from bridges)
      union all
      select code, provider, date, base, quote, rate, recorded_at, run from bridges
    ) as found
      left join suspect using (provider, date, base, quote, rate)
    order by code, provider, base, quote, reason is null, found.date desc`);
}
