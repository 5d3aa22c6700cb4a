import type { ProviderActivity } from '../../core/database/provider-activity.js';
import { providerStatus } from '../../core/domain/provider-status.js';
import type { CatalogueHolder } from '../catalogue/holder.js';
import type { Reading } from '../catalogue/reading.js';
import type { ListedProvider } from '../catalogue/schemas.js';
import type { ReadActivity } from './activity.js';
import type { PageData } from './data.js';

/** `unread` if no worker reads the provider, or no worker can. */
export type SourceState = ListedProvider['status'] | 'unread';

/** Most urgent first. */
export const STATES: readonly SourceState[] = [
  'failing',
  'late',
  'pending',
  'unread',
  'needs_key',
  'fresh',
  'archive',
];

export interface Source {
  provider: ListedProvider;
  state: SourceState;
  /** Whether scheduled publications are missing, even if it is not read. */
  isOld: boolean;
  /** Null if the provider publishes no more, or no worker reads it. */
  next: string | null;
  lately: ProviderActivity | undefined;
  lastError: string | null;
}

export interface SourcesOfPages {
  data: PageData;
  catalogue: Pick<CatalogueHolder, 'current'>;
  activity: ReadActivity;
}

export async function readSources({ data, catalogue, activity }: SourcesOfPages): Promise<Source[]> {
  const reading = data.reading();
  const lately = await activity(data.today());
  const now = data.now();
  const states = catalogue.current()?.providers;
  return data.providers().map((provider) => ({
    provider,
    state: stateOf(provider, reading),
    isOld: providerStatus(provider, { endDate: provider.end_date, lastError: null }, now) === 'late',
    next: reading.sources.has(provider.key) ? provider.next_publish_at : null,
    lately: lately.get(provider.key),
    lastError: isCutOff(provider.key, reading) ? null : (states?.get(provider.key)?.lastError ?? null),
  }));
}

/** Whether its failure is that of this machine. */
function isCutOff(key: string, { outage }: Reading): boolean {
  return outage?.keys.includes(key) ?? false;
}

/** A provider is only late if it has been read since reading began. */
function stateOf({ key, status, last_attempt_at: at }: ListedProvider, reading: Reading): SourceState {
  const { sources, since } = reading;
  if (isCutOff(key, reading)) return 'unread';
  if (status !== 'late' && status !== 'pending') return status;
  if (!sources.has(key)) return 'unread';
  const isRead = at !== null && since !== undefined && new Date(at) >= since;
  return isRead ? status : 'pending';
}

/** For readers of rates: whether these are old matters more than why. */
export function stateOfRates({ state, isOld }: Source): SourceState {
  return isOld && (state === 'unread' || state === 'pending') ? 'late' : state;
}

export function needsAttention({ state }: Source): boolean {
  return state === 'failing' || state === 'late';
}
