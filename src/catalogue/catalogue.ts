import { WINDOW_DAYS } from '../../core/blend/carry-forward.js';
import { type CalendarDate, daysBetween, earlier, later } from '../../core/dates.js';
import { pegs } from '../../core/pegs.js';

/** First and last day, both included. */
export interface Span {
  start: CalendarDate;
  end: CalendarDate;
}

/** What became of asking a provider; null for what never happened. */
export interface ProviderState {
  key: string;
  lastAttemptAt: Date | null;
  lastSuccessAt: Date | null;
  lastError: string | null;
}

/** On which days each provider published each currency, on either side of a pair. */
export type Coverage = ReadonlyMap<string, ReadonlyMap<string, Span>>;

/** Everything that is known of currencies and providers at one data version. */
export interface Catalogue {
  /** Data version that `coverage` and `currencies` belong to; 0 before the first. */
  version: bigint;
  coverage: Coverage;
  /** Every currency that there are rates for, pegged ones included. */
  currencies: ReadonlyMap<string, Span>;
  /** The newest observation in the store; undefined while it is empty. */
  newest: CalendarDate | undefined;
  providers: ReadonlyMap<string, ProviderState>;
}

/**
 * Days with rates per currency, over the providers in `coverage`. With `pegged`, a currency on a peg counts from
 * the peg's first day or its anchor's, whichever is later, unless providers published it before, and to the newest
 * observation of all as long as its anchor is carried there.
 */
export function spansOf(coverage: Coverage, { pegged }: { pegged: boolean }): Map<string, Span> {
  const spans = new Map<string, Span>();
  for (const published of coverage.values()) {
    for (const [code, span] of published) spans.set(code, union(spans.get(code), span));
  }
  const newest = newestOf(spans);
  if (!pegged || newest === undefined) return spans;
  for (const peg of pegs) {
    const anchor = spans.get(peg.base);
    if (!anchor || anchor.end < peg.since) continue;
    const end = daysBetween(anchor.end, newest) <= WINDOW_DAYS ? newest : anchor.end;
    const own = { start: later(peg.since, anchor.start), end };
    spans.set(peg.quote, union(spans.get(peg.quote), own));
  }
  return spans;
}

/** The providers that publish a currency, sorted by key. */
export function providersOf(catalogue: Catalogue, code: string): string[] {
  return [...catalogue.coverage]
    .filter(([, published]) => published.has(code))
    .map(([key]) => key)
    .sort();
}

/** The days on which a provider published anything. */
export function spanOfProvider(catalogue: Catalogue, key: string): Span | undefined {
  let whole: Span | undefined;
  for (const span of catalogue.coverage.get(key)?.values() ?? []) whole = union(whole, span);
  return whole;
}

/** The last day of all. */
export function newestOf(spans: ReadonlyMap<string, Span>): CalendarDate | undefined {
  let newest: CalendarDate | undefined;
  for (const { end } of spans.values()) newest = newest === undefined ? end : later(newest, end);
  return newest;
}

function union(one: Span | undefined, other: Span): Span {
  if (!one) return other;
  return { start: earlier(one.start, other.start), end: later(one.end, other.end) };
}
