import { isCurrency } from '../../core/domain/currencies.js';
import { providerStatus } from '../../core/domain/provider-status.js';
import {
  isBlended,
  type Provider,
  providerFacts,
  providerOf,
  providers,
} from '../../core/domain/providers.js';
import { nextPublishAt, publishesMissed } from '../../core/domain/publish-schedule.js';
import { type Catalogue, spanOfProvider } from '../catalogue/catalogue.js';
import type { ListedProvider } from '../catalogue/schemas.js';
import { membersOf } from '../formats/record-formats.js';

const FREQUENCIES = {
  day: 'daily',
  week: 'weekly',
  month: 'monthly',
  month_end: 'monthly',
  quarter: 'quarterly',
} as const;

/** Sorted by key, as of the instant `now`. */
export function listProviders(catalogue: Catalogue, now: Date): ListedProvider[] {
  return providers.map((provider) => listed(catalogue, provider, now));
}

/** The key is in any case. */
export function describeProvider(catalogue: Catalogue, key: string, now: Date): ListedProvider | undefined {
  const provider = providerOf(key.trim().toUpperCase());
  return provider && listed(catalogue, provider, now);
}

function listed(catalogue: Catalogue, provider: Provider, now: Date): ListedProvider {
  const { key, period } = provider;
  const span = spanOfProvider(catalogue, key);
  const state = catalogue.providers.get(key);
  const codes = [...(catalogue.coverage.get(key)?.keys() ?? [])].sort();
  const endDate = span?.to ?? null;
  return {
    ...membersOf(providerFacts, provider),
    start_date: span?.from ?? null,
    end_date: endDate,
    kind: period === undefined ? 'observed' : 'official',
    period: period ?? null,
    blended: isBlended(key),
    publish_cadence: provider.publish_cadence,
    frequency: FREQUENCIES[period ?? 'day'],
    publish_schedule: provider.publish_schedule,
    next_publish_at: nextPublishAt(provider, now)?.toISOString() ?? null,
    publishes_missed: publishesMissed(provider, endDate, now),
    currencies: codes.filter(isCurrency),
    unknown_currencies: codes.filter((code) => !isCurrency(code)),
    last_success_at: state?.lastSuccessAt?.toISOString() ?? null,
    last_attempt_at: state?.lastAttemptAt?.toISOString() ?? null,
    status: providerStatus(provider, { endDate, lastError: state?.lastError ?? null }, now),
  };
}
