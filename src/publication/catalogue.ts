import type { Span } from '../../core/database/coverage.js';
import type { ProviderState } from '../../core/database/providers.js';
import { SUSPICION_REASONS, type SuspicionReason } from '../../core/domain/blend/suspicion.js';
import { dayNumber, later } from '../../core/domain/dates.js';
import {
  exceptProviders,
  type Provider,
  setOwnProviders,
  shippedProviders,
} from '../../core/domain/providers.js';
import type { LogRecord } from '../../core/publication/log-record.js';
import type { Manifest, ManifestFile } from '../../core/publication/manifest.js';
import { PublicationError } from '../../core/publication/publication-error.js';
import {
  type PublishedProviders,
  parseCurrencies,
  parseProviders,
} from '../../core/publication/published-lists.js';
import type { Catalogue } from '../catalogue/catalogue.js';

type PublishedProvider = PublishedProviders['providers'][number];

/** The catalogue of a publication, and the providers that it describes. Throws a PublicationError. */
export async function publishedCatalogue(
  record: LogRecord,
  { data, files }: Manifest,
  read: (file: ManifestFile) => Promise<Buffer>,
): Promise<{
  catalogue: Catalogue;
  providers: Provider[];
  /** Why rates are left out of the blend, by provider, pair and day (day number): `CBG DKK/GMD 20210`. */
  reasons: Map<string, SuspicionReason>;
}> {
  const fileOf = (table: ManifestFile['table']) => {
    const file = files.find((one) => one.table === table);
    if (!file) throw new PublicationError('manifest', `names no ${table}`);
    return read(file);
  };
  const { providers, reading } = parseProviders(await fileOf('providers'));
  const currencies = parseCurrencies(await fileOf('currencies')).map(
    ({ iso_code, start_date: start, end_date: end }) => [iso_code, { start, end }] as const,
  );
  const [first, ...others] = currencies.map(([, { end }]) => end);
  return {
    catalogue: {
      version: BigInt(data.version),
      coverage: new Map(
        providers.flatMap((one) => (one.start_date === null ? [] : [[one.key, coverageOf(one)] as const])),
      ),
      currencies: new Map(currencies),
      newest: others.reduce((newest, end) => later(newest ?? end, end), first),
      providers: new Map(providers.map((one) => [one.key, stateOf(one)])),
      readingPlan: planOf(reading, record.expires),
    },
    providers: providers.map(describedOnly),
    reasons: new Map(providers.flatMap((one) => [...reasonsOf(one)])),
  };
}

function coverageOf({ currencies, end_date }: PublishedProvider): Map<string, Span> {
  return new Map(
    Object.entries(currencies).map(([code, [start = '', end = end_date ?? start]]) => [code, { start, end }]),
  );
}

function stateOf(provider: PublishedProvider): ProviderState {
  const { key, last_error: lastError } = provider;
  const dateOf = (text: string | null) => (text === null ? null : new Date(text));
  return {
    key,
    lastError,
    lastAttemptAt: dateOf(provider.last_attempt_at),
    lastSuccessAt: dateOf(provider.last_success_at),
    newestReadAt: dateOf(provider.newest_read_at),
  };
}

/** What a publication says of its workers counts until it expires. */
function planOf(reading: PublishedProviders['reading'], expires: string): Catalogue['readingPlan'] {
  return (
    reading && {
      sources: reading.sources,
      since: new Date(reading.since),
      seenAt: new Date(expires),
    }
  );
}

function* reasonsOf({ key, left_out: leftOut }: PublishedProvider): Generator<[string, SuspicionReason]> {
  for (const reason of SUSPICION_REASONS) {
    for (const [pair, days] of Object.entries(leftOut[reason] ?? {}))
      for (const day of days) yield [`${key} ${pair} ${dayNumber(day)}`, reason];
  }
}

/** The description alone, as a process has it of its providers. */
function describedOnly({
  start_date: _start,
  end_date: _end,
  last_attempt_at: _attempt,
  last_success_at: _success,
  last_error: _error,
  newest_read_at: _read,
  currencies: _currencies,
  left_out: _leftOut,
  ...described
}: PublishedProvider): Provider {
  return described;
}

/** Makes the providers of this process those that are published: own ones too, and none that were left out. */
export function useProviders(published: readonly Provider[]): void {
  const keys = new Set(published.map(({ key }) => key));
  const shipped = new Set(shippedProviders.map(({ key }) => key));
  setOwnProviders(published.filter(({ key }) => !shipped.has(key)));
  exceptProviders([...shipped].filter((key) => !keys.has(key)));
}
