import type { Coverage, Span } from '../../core/database/coverage.js';
import type { ProviderState } from '../../core/database/providers.js';
import { type CalendarDate, earlier, later } from '../../core/domain/dates.js';

/** Everything that is known of currencies and providers at one data version. */
export interface Catalogue {
  /** Data version that all but `providers` belongs to; 0 before the first. */
  version: bigint;
  coverage: Coverage;
  /** Every currency that there are rates for, pegged ones included. */
  currencies: ReadonlyMap<string, Span>;
  /** The newest observation in the store; undefined while it is empty. */
  newest: CalendarDate | undefined;
  providers: ReadonlyMap<string, ProviderState>;
}

/** The days on which any of these providers published each currency. */
export function publishedBy({ coverage }: Catalogue, keys: readonly string[]): Map<string, Span> {
  const spans = new Map<string, Span>();
  for (const key of keys) {
    for (const [code, span] of coverage.get(key) ?? []) spans.set(code, union(spans.get(code), span));
  }
  return spans;
}

/** The providers that publish a currency, sorted by key. */
export function providersOf({ coverage }: Catalogue, code: string): string[] {
  return [...coverage]
    .filter(([, published]) => published.has(code))
    .map(([key]) => key)
    .sort();
}

/** The days on which a provider published anything. */
export function spanOfProvider({ coverage }: Catalogue, key: string): Span | undefined {
  let whole: Span | undefined;
  for (const span of coverage.get(key)?.values() ?? []) whole = union(whole, span);
  return whole;
}

function union(one: Span | undefined, other: Span): Span {
  if (!one) return other;
  return { start: earlier(one.start, other.start), end: later(one.end, other.end) };
}
