import type { Reading } from '../catalogue/reading.js';
import type { ListedProvider } from '../catalogue/schemas.js';
import type { PageData } from './data.js';
import type { Reader } from './reader.js';
import { english } from './shared/currency-search.js';
import { searchTextOf } from './shared/search-text.js';

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

export type Source = Awaited<ReturnType<typeof readSources>>[number];

export async function readSources(data: PageData) {
  const reading = data.reading();
  const lately = await data.activity();
  return data.providers().map((provider) => ({
    provider,
    state: stateOf(provider, reading),
    /** Null if the provider publishes no more, or no worker reads it. */
    next: reading.sources.has(provider.key) ? provider.next_publish_at : null,
    lately: lately.get(provider.key),
    lastError: reading.outage?.keys.includes(provider.key) ? null : data.lastErrorOf(provider.key),
  }));
}

/** A provider is only late if it has been read since reading began. In an outage, its failure is that of this machine. */
function stateOf({ key, status, last_attempt_at: at }: ListedProvider, reading: Reading): SourceState {
  const { sources, since, outage } = reading;
  if (outage?.keys.includes(key)) return 'unread';
  if (status !== 'late' && status !== 'pending') return status;
  if (!sources.has(key)) return 'unread';
  const isRead = at !== null && since !== undefined && new Date(at) >= since;
  return isRead ? status : 'pending';
}

/** The states that sources are in, most urgent first, with the number of sources in each. */
export function countsOf(sources: readonly Source[]): (readonly [state: SourceState, count: number])[] {
  const countOf = (own: SourceState) => sources.filter(({ state }) => state === own).length;
  return STATES.map((state) => [state, countOf(state)] as const).filter(([, count]) => count > 0);
}

export function needsAttention({ state }: Source): boolean {
  return state === 'failing' || state === 'late';
}

/** Also has the English name of the country. */
export function searchTextOfProvider(
  { key, name, country_code: country }: ListedProvider,
  { formats }: Reader,
): string {
  const countries = country ? [country, formats.country(country), english.country(country)] : [];
  return searchTextOf([key, name, ...countries]);
}
