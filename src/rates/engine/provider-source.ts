import { onOrBefore } from '../../../core/domain/day-pick.js';
import type { RateRows } from '../snapshot/row.js';
import { type OfficialRates, officialRowsBetween, pickedOfficialRows } from '../sources/official.js';
import type { ProviderRates } from '../sources/provider-rates.js';
import { providerRows } from '../sources/provider-rows.js';
import { ownSource, withSources } from '../sources/row-sources.js';
import { mapRows, type RateSource, type SourceContext, whenFound } from './rate-source.js';
import { needsSources, type ResolvedRequest } from './request.js';

/** One provider's own rates, crossed within its own data: no blend, no pegs. */
export function providerSource({ raw, snapshot, tomorrow }: SourceContext, key: string): RateSource {
  function rowsIn(rates: ProviderRates, request: ResolvedRequest): RateRows {
    const { official } = rates;
    const found = official
      ? officialRows(official, request, tomorrow)
      : providerRows(rates, request, tomorrow);
    if (!needsSources(request.expand)) return found;
    // The estimate is dropped, as rows with sources are much longer than it assumes.
    return { ...mapRows(found, withSources(ownSource(key), request, found.asOf)), estimate: undefined };
  }
  return {
    rows: (request, reader) =>
      whenFound(raw.cachedOfProvider(snapshot, key) ?? raw.ofProvider(snapshot, key, reader), (rates) =>
        rowsIn(rates, request),
      ),
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
