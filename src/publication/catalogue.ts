import { hash } from 'node:crypto';
import type { ProviderState } from '../../core/database/providers.js';
import { SUSPICION_REASONS, type SuspicionReason } from '../../core/domain/blend/suspicion.js';
import { type DateRange, dayNumber, unionOf } from '../../core/domain/dates.js';
import { providerSchema } from '../../core/domain/providers.js';
import type { LogRecord } from '../../core/publication/log.js';
import type { Manifest, ManifestFile } from '../../core/publication/open-publication.js';
import { PublicationError } from '../../core/publication/publication-error.js';
import {
  type PublishedProviders,
  parseCurrencies,
  parseProviders,
} from '../../core/publication/published-lists.js';
import type { Catalogue } from '../catalogue/catalogue.js';

const description = providerSchema.strip();

type PublishedProvider = PublishedProviders['providers'][number];

export type DescribedProvider = ReturnType<typeof describedOnly>;

/** Also returns the described providers, by key. Throws a PublicationError. */
export async function publishedCatalogue(
  record: LogRecord,
  { data, files }: Manifest,
  read: (file: ManifestFile) => Promise<Buffer>,
): Promise<{ catalogue: Catalogue; described: Map<string, DescribedProvider> }> {
  const fileOf = (table: ManifestFile['table']) => {
    const file = files.find((one) => one.table === table);
    if (!file) throw new PublicationError('manifest', `names no ${table}`);
    return read(file);
  };
  const { providers, reading } = parseProviders(await fileOf('providers'));
  const currencies = parseCurrencies(await fileOf('currencies')).map(
    ({ iso_code, start_date: from, end_date: to }) => [iso_code, { from, to }] as const,
  );
  return {
    catalogue: {
      version: BigInt(data.version),
      coverage: new Map(
        providers.flatMap((one) => (one.start_date === null ? [] : [[one.key, coverageOf(one)] as const])),
      ),
      currencies: new Map(currencies),
      newest: unionOf(currencies.map(([, span]) => span))?.to,
      providers: new Map(providers.map((one) => [one.key, stateOf(one)])),
      // It counts as seen until the publication expires.
      readingPlan: reading && {
        sources: reading.sources,
        since: new Date(reading.since),
        seenAt: new Date(record.expires),
      },
      unreached: null,
    },
    described: new Map(providers.map((one) => [one.key, describedOnly(one)])),
  };
}

function coverageOf({ currencies, end_date }: PublishedProvider): Map<string, DateRange> {
  return new Map(
    Object.entries(currencies).map(([code, [from = '', to = end_date ?? from]]) => [code, { from, to }]),
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

function* reasonsOf(leftOut: PublishedProvider['left_out']): Generator<[string, SuspicionReason]> {
  for (const reason of SUSPICION_REASONS) {
    for (const [pair, days] of Object.entries(leftOut[reason] ?? {}))
      for (const day of days) yield [`${pair} ${dayNumber(day)}`, reason];
  }
}

/** `leftOut` is why its rates are left out of the blend, by pair and day number: `DKK/GMD 20210`. */
function describedOnly({ left_out: leftOut, ...published }: PublishedProvider) {
  const provider = description.parse(published);
  const sha256 = hash('sha256', JSON.stringify({ provider, leftOut }));
  return { provider, leftOut: new Map(reasonsOf(leftOut)), sha256 };
}
