import { type Coverage, type Span, spanOf, unionOfSpans } from '../../core/database/coverage.js';
import type { ProviderState } from '../../core/database/providers.js';
import type { ReadingPlan } from '../../core/database/reading-plan.js';
import type { CalendarDate } from '../../core/domain/dates.js';

/** All currencies and providers, as of one data version. */
export interface Catalogue {
  /** The data version of all fields but `providers` and `readingPlan`; 0 before the first. */
  version: bigint;
  coverage: Coverage;
  /** Every currency that has rates, pegged ones included, with the days of its first and last rate. */
  currencies: ReadonlyMap<string, Span>;
  /** The day of the newest rate; undefined if there are none. */
  newest: CalendarDate | undefined;
  providers: ReadonlyMap<string, ProviderState>;
  /** The sources that the workers read; null if no worker has recorded them. */
  readingPlan: ReadingPlan | null;
}

/** Returns, for each currency, the span of days on which any of these providers published it. */
export function publishedBy({ coverage }: Catalogue, keys: readonly string[]): Map<string, Span> {
  const spans = new Map<string, Span>();
  for (const key of keys) {
    for (const [code, span] of coverage.get(key) ?? []) spans.set(code, unionOfSpans(spans.get(code), span));
  }
  return spans;
}

/** Returns the providers that publish a currency, sorted by key. */
export function providersOf({ coverage }: Catalogue, code: string): string[] {
  return [...coverage]
    .filter(([, published]) => published.has(code))
    .map(([key]) => key)
    .sort();
}

/** Returns the first and last day of any rate of a provider; undefined if it has none. */
export function spanOfProvider({ coverage }: Catalogue, key: string): Span | undefined {
  return spanOf(coverage.get(key)?.values() ?? []);
}
