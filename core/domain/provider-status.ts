import type { CalendarDate } from './dates.js';
import type { Provider } from './providers.js';
import { publishesMissed } from './publish-schedule.js';

/**
 * - `pending`: no rate has arrived yet, and the last attempt did not fail
 * - `needs_key`: credentials are missing, so the source is not read
 * - `failing`: the last attempt failed
 * - `late`: attempts succeed, but scheduled publishes are missing
 * - `archive`: the source is complete and publishes nothing more
 * - `fresh`: everything else
 */
export type ProviderStatus = 'fresh' | 'late' | 'failing' | 'needs_key' | 'archive' | 'pending';

export interface ProviderState {
  endDate: CalendarDate | null;
  /** Null after a success. */
  lastError: string | null;
}

const NEEDS_KEY = 'needs_key: ';

/** A daily source may miss one publish, because of a holiday or a bank that dates its rates one day back. */
const TOLERATED = { daily: 1, weekly: 0, monthly: 0, quarterly: 0 };

/** The `last_error` that represents missing credentials. Contains the names of variables, never their values. */
export function needsKeyError(variables: readonly string[]): string {
  return `${NEEDS_KEY}${variables.join(', ')}`;
}

/** The names of the variables of missing credentials; undefined for another error. */
export function keysNeeded(lastError: string | null): string | undefined {
  return lastError?.startsWith(NEEDS_KEY) ? lastError.slice(NEEDS_KEY.length) : undefined;
}

export function isNeedsKeyError(lastError: string | null): boolean {
  return keysNeeded(lastError) !== undefined;
}

export function providerStatus(
  provider: Pick<Provider, 'publish_schedule' | 'publish_cadence'>,
  state: ProviderState,
  now: Date,
): ProviderStatus {
  if (isNeedsKeyError(state.lastError)) return 'needs_key';
  if (state.lastError !== null) return 'failing';
  if (state.endDate === null) return 'pending';
  const missed = publishesMissed(provider, state.endDate, now);
  if (missed === null) return 'archive';
  return missed > TOLERATED[provider.publish_cadence ?? 'daily'] ? 'late' : 'fresh';
}
