import type { Coverage } from '../../core/database/coverage.js';
import type { ProviderState } from '../../core/database/providers.js';
import type { ReadingPlan } from '../../core/database/reading-plan.js';
import { type CalendarDate, type DateRange, union, unionOf } from '../../core/domain/dates.js';
import type { UnreachedSources } from '../../core/domain/internet-access.js';

export interface Catalogue {
  /** The data version of all fields but `providers`, `readingPlan` and `unreached`; 0 before the first. */
  version: bigint;
  coverage: Coverage;
  /** Every currency that has rates, pegged ones included. */
  currencies: ReadonlyMap<string, DateRange>;
  newest: CalendarDate | undefined;
  providers: ReadonlyMap<string, ProviderState>;
  /** Null if no worker has recorded a plan. */
  readingPlan: ReadingPlan | null;
  /** Null if every source was reached since the last success of any, or if that is unknown. */
  unreached: UnreachedSources | null;
}

/** Returns, for each currency, the span of days on which any of these providers published it. */
export function publishedBy({ coverage }: Catalogue, keys: readonly string[]): Map<string, DateRange> {
  const spans = new Map<string, DateRange>();
  for (const key of keys) {
    for (const [code, span] of coverage.get(key) ?? []) spans.set(code, union(spans.get(code), span));
  }
  return spans;
}

/** Sorted by key. */
export function providersOf({ coverage }: Catalogue, code: string): string[] {
  return [...coverage]
    .filter(([, published]) => published.has(code))
    .map(([key]) => key)
    .sort();
}

export function spanOfProvider({ coverage }: Catalogue, key: string): DateRange | undefined {
  return unionOf(coverage.get(key)?.values() ?? []);
}
