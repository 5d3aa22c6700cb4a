import { onOrBefore } from '../../../core/domain/day-pick.js';
import { type OfficialRates, officialRowsBetween, pickedOfficialRows } from '../sources/official.js';
import type { ProviderRates } from '../sources/provider-rates.js';
import { providerRows, withOwnSource } from '../sources/provider-rows.js';
import { qualityFor } from '../sources/row-sources.js';
import { datesOf, type Ground, mapRows, type RateRows, type RateSource } from './rate-source.js';
import { needsSources, type ResolvedRequest } from './request.js';

/** One provider's own rates, crossed within its own data: no blend, no pegs. */
export function providerSource({ raw, snapshot, tomorrow }: Ground, key: string): RateSource {
  function rowsOf(rates: ProviderRates, request: ResolvedRequest): RateRows {
    const { base, expand } = request;
    const found = rates.official
      ? officialRows(rates.official, request, tomorrow)
      : providerRows(rates, request, tomorrow);
    if (!needsSources(expand)) return found;
    const { asOf } = found;
    const [named, sure] = [withOwnSource(key, base), qualityFor(request, asOf)];
    // The estimate is dropped, as rows with sources are much longer than it assumes.
    return mapRows({ rows: datesOf(found), asOf }, (dated) => sure(named(dated)));
  }
  return {
    rowsInMemory(request) {
      const rates = raw.cachedOfProvider(snapshot, key);
      return rates && rowsOf(rates, request);
    },
    rows: async (request, reader) => rowsOf(await raw.ofProvider(snapshot, key, reader), request),
    ratesOn: async (_days, reader) => ({ ...(await raw.ofProvider(snapshot, key, reader)), snapshot }),
  };
}

/** The official rates for the picked day, for today by default, or for the days of a range. */
function officialRows(rates: OfficialRates, request: ResolvedRequest, tomorrow: number): RateRows {
  const { when } = request;
  if (when.form === 'range') return { rows: officialRowsBetween(rates, request, when) };
  const picked = when.form === 'date' ? when : onOrBefore(tomorrow - 1);
  const asOf = when.form === 'date' || rates.table.days.length > 0 ? picked.day : undefined;
  return { rows: pickedOfficialRows(rates, request, picked), asOf };
}
