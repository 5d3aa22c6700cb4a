import type { CalendarDate } from './dates.js';
import type { Provider } from './providers.js';
import { publishesMissed } from './publish-schedule.js';

/**
 * - `pending`: never asked yet, or asked without an answer to show for it so far
 * - `needs_key`: credentials are missing, so it is not asked
 * - `failing`: the newest attempt failed
 * - `late`: it answers, but scheduled publishes are missing
 * - `archive`: complete by nature, it publishes no more
 * - `fresh`: all else
 */
export type ProviderStatus = 'fresh' | 'late' | 'failing' | 'needs_key' | 'archive' | 'pending';

/** What became of asking a provider; the columns of its row. */
export interface ProviderState {
  /** Its newest observation date. */
  endDate: CalendarDate | null;
  /** Why the newest attempt failed; null after a success. */
  lastError: string | null;
}

const NEEDS_KEY = 'needs_key: ';

/** A daily source may miss one publish and be well: a holiday, or a bank that dates its rates a day back. */
const TOLERATED = { daily: 1, weekly: 0, monthly: 0 };

/** The `last_error` that stands for missing credentials. Names variables, never values. */
export function needsKeyError(variables: readonly string[]): string {
  return `${NEEDS_KEY}${variables.join(', ')}`;
}

export function isNeedsKeyError(lastError: string | null): boolean {
  return lastError?.startsWith(NEEDS_KEY) ?? false;
}

/** How a provider is doing at the instant `now`. */
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
