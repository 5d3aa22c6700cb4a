import type pg from 'pg';
import type { CalendarDate } from '../../core/domain/dates.js';
import { pegs } from '../../core/domain/pegs.js';
import type { RateRow } from '../feeds/feed.js';

/** First and last day on which something was published. */
interface Span {
  from: CalendarDate;
  to: CalendarDate;
}

/** By provider, then by currency, on either side of a pair. */
export type Coverage = Map<string, Map<string, Span>>;

/** Takes a row of a provider into account. */
export function cover(
  coverage: Coverage,
  provider: string,
  { date, base, quote }: Pick<RateRow, 'date' | 'base' | 'quote'>,
): void {
  let spans = coverage.get(provider);
  if (!spans) {
    spans = new Map();
    coverage.set(provider, spans);
  }
  widen(spans, base, date);
  widen(spans, quote, date);
}

/**
 * Widens what is known to be covered: the currencies of each provider, its own first and last day, and the
 * lifetimes of the currencies. Rows are never taken back, so that nothing ever narrows.
 */
export async function extendCoverage(client: pg.PoolClient, coverage: Coverage): Promise<void> {
  const spans = [...coverage].flatMap(([provider, currencies]) =>
    [...currencies].map(([currency, { from, to }]) => ({ provider, currency, from, to })),
  );
  await client.query(
    `insert into currency_coverage as known (provider, currency, start_date, end_date)
     select * from unnest($1::varchar[], $2::varchar[], $3::date[], $4::date[])
     on conflict (provider, currency) do update
       set start_date = least(known.start_date, excluded.start_date),
           end_date = greatest(known.end_date, excluded.end_date)
       where excluded.start_date < known.start_date or excluded.end_date > known.end_date`,
    [
      spans.map(({ provider }) => provider),
      spans.map(({ currency }) => currency),
      spans.map(({ from }) => from),
      spans.map(({ to }) => to),
    ],
  );
  await refreshProviders(client);
  await refreshCurrencies(client);
}

/** Derives the first and last day of every provider from what it covers. */
export async function refreshProviders(client: pg.PoolClient): Promise<void> {
  await client.query(
    `update providers set start_date = span.start_date, end_date = span.end_date
     from (
       select provider, min(start_date) as start_date, max(end_date) as end_date
       from currency_coverage group by provider
     ) as span
     where key = span.provider
       and (providers.start_date, providers.end_date) is distinct from (span.start_date, span.end_date)`,
  );
}

/**
 * Derives the first and last day of every currency from what providers cover. A pegged one also lives while its
 * anchor does, from the first day of the peg on.
 */
export async function refreshCurrencies(client: pg.PoolClient): Promise<void> {
  await client.query(
    `with
       published as (
         select currency as code, min(start_date) as start_date, max(end_date) as end_date
         from currency_coverage group by currency
       ),
       pegged as (
         select peg.quote as code, greatest(peg.since, anchor.start_date) as start_date, anchor.end_date
         from unnest($1::varchar[], $2::varchar[], $3::date[]) as peg (quote, base, since)
         join published as anchor on anchor.code = peg.base and anchor.end_date >= peg.since
       )
     insert into currencies (code, start_date, end_date)
     select code, min(start_date), max(end_date)
     from (select * from published union all select * from pegged) as spans
     group by code
     except select code, start_date, end_date from currencies
     on conflict (code) do update set start_date = excluded.start_date, end_date = excluded.end_date`,
    [pegs.map(({ quote }) => quote), pegs.map(({ base }) => base), pegs.map(({ since }) => since)],
  );
}

function widen(spans: Map<string, Span>, currency: string, date: CalendarDate): void {
  const span = spans.get(currency);
  if (!span) {
    spans.set(currency, { from: date, to: date });
    return;
  }
  if (date < span.from) span.from = date;
  if (date > span.to) span.to = date;
}
