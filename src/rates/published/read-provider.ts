import type { LeftOut } from '../../../core/database/suspects.js';
import { LEFT_OUT_STATUSES } from '../../../core/domain/blend/suspect.js';
import type { SuspicionReason } from '../../../core/domain/blend/suspicion.js';
import type { ValidityPeriod } from '../../../core/domain/validity.js';
import { type PackedProviderRates, providerRatesOf, providerSidesOf } from '../sources/provider-rates.js';
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
// Returns the rates, and each of their sides.
export type ReadProvider = (provider: PublishedProvider) => Promise<PackedProviderRates[]>;

const LEFT_OUT: ReadonlySet<string> = new Set(LEFT_OUT_STATUSES);

export const readProvider: ReadProvider = async ({ files, pivot, period, leftOut: reasons }) => {
  const tables = { rate: new RawTableBuilder(), buy: new RawTableBuilder(), sell: new RawTableBuilder() };
  const leftOut: LeftOut[] = [];
  for await (const columns of rowGroupsOf('observations', files)) {
    columns.date.forEach((day, at) => {
      const { [at]: provider = '' } = columns.provider;
      const { [at]: base = '' } = columns.base;
      const { [at]: quote = '' } = columns.quote;
      const { [at]: rate = Number.NaN } = columns.rate;
      tables.rate.add(day, rate, provider, base, quote);
      for (const side of ['buy', 'sell'] as const) {
        const price = columns[side]?.[at] ?? Number.NaN;
        if (!Number.isNaN(price)) tables[side].add(day, price, provider, base, quote);
      }
      const isLeftOut = LEFT_OUT.has(columns.suspect[at] ?? '');
      const reason = isLeftOut ? reasons.get(`${base}/${quote} ${day}`) : undefined;
      if (reason) leftOut.push({ day, rate, provider, base, quote, reason });
    });
  }
  const rates = providerRatesOf(tables.rate.finish(leftOut), pivot, period);
  const sides = { buy: tables.buy.finish([]), sell: tables.sell.finish([]) };
  return [rates, ...providerSidesOf(sides, rates)].map(({ packed }) => packed);
};
