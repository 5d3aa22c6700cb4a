import type { LeftOut } from '../../../core/database/suspects.js';
import { LEFT_OUT_STATUSES } from '../../../core/domain/blend/suspect.js';
import type { SuspicionReason } from '../../../core/domain/blend/suspicion.js';
import type { ValidityPeriod } from '../../../core/domain/validity.js';
import { type PackedProviderRates, providerRatesOf } from '../sources/provider-rates.js';
import { RawTableBuilder } from '../sources/raw-table.js';
import { type PublishedFile, rowGroupsOf } from './files.js';

export interface PublishedProvider {
  files: readonly PublishedFile[];
  pivot: string | null;
  /** Set if each rate is valid for a period. */
  period: ValidityPeriod | undefined;
  /** Why rates are excluded from the blend, by pair and day (day number): `DKK/GMD 20210`. */
  leftOut: ReadonlyMap<string, SuspicionReason>;
}

/** Runs in a thread, as it takes up to hundreds of milliseconds. Throws a PublicationError for an invalid file. */
export type ReadProvider = (provider: PublishedProvider) => Promise<PackedProviderRates>;

const LEFT_OUT: ReadonlySet<string> = new Set(LEFT_OUT_STATUSES);

export const readProvider: ReadProvider = async ({ files, pivot, period, leftOut: reasons }) => {
  const table = new RawTableBuilder();
  const leftOut: LeftOut[] = [];
  for await (const columns of rowGroupsOf('observations', files)) {
    columns.date.forEach((day, at) => {
      const { [at]: provider = '' } = columns.provider;
      const { [at]: base = '' } = columns.base;
      const { [at]: quote = '' } = columns.quote;
      const { [at]: rate = Number.NaN } = columns.rate;
      table.add(day, rate, provider, base, quote);
      const isLeftOut = LEFT_OUT.has(columns.suspect[at] ?? '');
      const reason = isLeftOut ? reasons.get(`${base}/${quote} ${day}`) : undefined;
      if (reason) leftOut.push({ day, rate, provider, base, quote, reason });
    });
  }
  return providerRatesOf(table.finish(leftOut), pivot, period).packed;
};
