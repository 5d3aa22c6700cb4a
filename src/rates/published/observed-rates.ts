import { LRUCache } from 'lru-cache';
import { createSingleFlight } from '../../../core/concurrency/single-flight.js';
import type { LeftOut } from '../../../core/database/suspects.js';
import { LEFT_OUT_STATUSES } from '../../../core/domain/blend/suspect.js';
import type { SuspicionReason } from '../../../core/domain/blend/suspicion.js';
import type { ValidityPeriod } from '../../../core/domain/validity.js';
import type { TableRows } from '../../../core/publication/tables.js';
import type { Snapshot } from '../snapshot/snapshot.js';
import { type ProviderRates, providerRatesOf } from '../sources/provider-rates.js';
import type { RawStore, Reader } from '../sources/raw-store.js';
import { type RawTable, RawTableBuilder } from '../sources/raw-table.js';

/** The rows of one provider in the publication that a snapshot was made from. */
export interface Observations {
  /** Two of the same name are the same in all that follows. */
  name: string;
  pivot: string | null;
  period: ValidityPeriod | undefined;
  /** Why rates of a pair, such as `DKK/GMD`, on a day are left out of the blend, where they are suspect. */
  reasonOf(pair: string, day: number): SuspicionReason | undefined;
  /** In parts. */
  read(): AsyncIterable<TableRows<'observations'>>;
}

/** Finds them. Throws an HttpError for a provider that is not published, and DataOutdated for an older snapshot. */
export type FindObservations = (snapshot: Snapshot, key: string) => Observations;

const KEPT_BYTES = 40 * 1024 * 1024;

/** The rates of single providers, read from their files when they are first asked for. */
export function openObservedRates(find: FindObservations): Pick<RawStore, 'ofProvider' | 'cachedOfProvider'> {
  const byName = new LRUCache<string, ProviderRates>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ size }) => size,
  });
  const singleFlight = createSingleFlight<ProviderRates>();

  async function read(found: Observations): Promise<ProviderRates> {
    const table = await rawTableOf(found.read(), found.reasonOf);
    const rates = providerRatesOf(table, found.pivot, found.period);
    byName.set(found.name, rates);
    return rates;
  }

  return {
    cachedOfProvider: (snapshot, key) => byName.get(find(snapshot, key).name),
    async ofProvider(snapshot: Snapshot, key: string, reader: Reader) {
      const found = find(snapshot, key);
      const cached = byName.get(found.name);
      return cached ?? (await singleFlight(found.name, () => read(found), reader.signal));
    },
  };
}

const LEFT_OUT: ReadonlySet<string> = new Set(LEFT_OUT_STATUSES);

/** All rows of a provider. */
async function rawTableOf(
  parts: AsyncIterable<TableRows<'observations'>>,
  reasonOf: Observations['reasonOf'],
): Promise<RawTable> {
  const table = new RawTableBuilder();
  const leftOut: LeftOut[] = [];
  for await (const columns of parts) {
    columns.date.forEach((day, at) => {
      const { [at]: provider = '' } = columns.provider;
      const { [at]: base = '' } = columns.base;
      const { [at]: quote = '' } = columns.quote;
      const { [at]: rate = Number.NaN } = columns.rate;
      table.add(day, rate, provider, base, quote);
      const reason = LEFT_OUT.has(columns.suspect[at] ?? '') ? reasonOf(`${base}/${quote}`, day) : undefined;
      if (reason) leftOut.push({ day, rate, provider, base, quote, reason });
    });
  }
  return table.finish(leftOut);
}
