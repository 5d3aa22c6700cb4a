import { onOrBefore } from '../../../core/domain/day-pick.js';
import { byDate, type DatedRows, type PlainRows } from '../snapshot/row.js';
import { type OfficialRates, officialRowsBetween, pickedOfficialRows } from '../sources/official.js';
import { providerRows, withOwnSource } from '../sources/provider-rows.js';
import { qualityFor } from '../sources/row-sources.js';
import { type Ground, inTurns, type RateRows, type RateSource } from './rate-source.js';
import { needsSources, type ResolvedRequest } from './request.js';

type OwnRows = RateRows & { rows: PlainRows | Iterable<DatedRows> };

/** One provider's own rates, crossed within its own data: no blend, no pegs. */
export function providerSource({ raw, snapshot, tomorrow }: Ground, key: string): RateSource {
  return {
    rowsInMemory(request) {
      const rates = needsSources(request.expand) ? undefined : raw.cachedOfProvider(snapshot, key);
      return rates && !rates.official ? providerRows(rates, request, tomorrow) : undefined;
    },
    async rows(request, reader) {
      const rates = await raw.ofProvider(snapshot, key, reader);
      const found: OwnRows = rates.official
        ? officialRows(rates.official, request, tomorrow)
        : providerRows(rates, request, tomorrow);
      if (!needsSources(request.expand)) return found;
      const dates = 'draw' in found.rows ? byDate(found.rows) : found.rows;
      const quality = qualityFor(request, found.asOf);
      const rows = inTurns(withOwnSource(dates, key, request.base), reader, quality);
      return { rows, asOf: found.asOf };
    },
    ratesOn: async (_days, reader) => ({ ...(await raw.ofProvider(snapshot, key, reader)), snapshot }),
  };
}

/** The rates that are meant by a day, those of today without one, or the ones of the days of a range. */
function officialRows(rates: OfficialRates, request: ResolvedRequest, tomorrow: number): OwnRows {
  const { when } = request;
  if (when.form === 'range') return { rows: officialRowsBetween(rates, request, when) };
  const picked = when.form === 'date' ? when : onOrBefore(tomorrow - 1);
  const asOf = when.form === 'date' || rates.table.days.length > 0 ? picked.day : undefined;
  return { rows: pickedOfficialRows(rates, request, picked), asOf };
}
