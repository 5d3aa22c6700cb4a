import { onOrBefore } from '../../../core/domain/day-pick.js';
import { periodsOf } from '../../../core/domain/periods.js';
import { meanRows, withStats } from '../snapshot/period-rows.js';
import type { PlainRows, RateRows } from '../snapshot/row.js';
import { plainRows, type RowsRequest } from '../snapshot/rows.js';
import { type OfficialRates, officialRowsBetween, pickedOfficialRows } from '../sources/official.js';
import type { ProviderRates } from '../sources/provider-rates.js';
import type { Reader } from '../sources/raw-reads.js';
import { ownSource, withSides, withSources } from '../sources/row-sources.js';
import { mapRows, type RateSource, type SourceContext, whenFound } from './rate-source.js';
import { needsSources, type ResolvedRequest } from './request.js';

/** One provider's own rates, crossed within its own data, or one side of them: no blend, no pegs. */
export function providerSource(
  { raw, snapshot, tomorrow }: SourceContext,
  key: string,
  side: ResolvedRequest['side'],
): RateSource {
  const ratesOf = (reader: Reader, of = side) =>
    raw.cachedOfProvider(snapshot, key, of) ?? raw.ofProvider(snapshot, key, reader, of);

  async function sidedRows(found: RateRows, request: ResolvedRequest, reader: Reader): Promise<RateRows> {
    const sides = { buy: await ratesOf(reader, 'buy'), sell: await ratesOf(reader, 'sell') };
    return { ...mapRows(found, withSides(sides, request)), estimate: undefined };
  }

  function rowsIn(rates: ProviderRates, request: ResolvedRequest): RateRows {
    const { official } = rates;
    const found = official
      ? officialRows(official, request, tomorrow)
      : providerRows(rates, request, tomorrow);
    if (!needsSources(request.expand)) return found;
    // The estimate is dropped, as rows with sources are much longer than it assumes.
    return { ...mapRows(found, withSources(ownSource(key), request, found.newest)), estimate: undefined };
  }
  return {
    rows: (request, reader) =>
      whenFound(ratesOf(reader), (rates) => {
        const found = rowsIn(rates, request);
        return request.expand.includes('sides') ? sidedRows(found, request, reader) : found;
      }),
    ratesOn: async (_days, reader) => ({
      ...(await ratesOf(reader)),
      snapshot,
      none: side && `${key} publishes no ${side}ing rate of this pair`,
    }),
  };
}

/** With `group`, rows are means of its own rows. Rates dated from `tomorrow` (day number) are not the newest yet. */
export function providerRows(
  rates: ProviderRates,
  request: RowsRequest,
  tomorrow: number,
): RateRows<PlainRows> {
  const { base, when } = request;
  const columns = { days: rates.columnsFor(base), allDays: rates.days };
  const daily = (when: RowsRequest['when']) => {
    const plain = plainRows(columns, { own: rates.ownFor(base), ...request, when }, tomorrow);
    return { ...plain, rows: rates.markSuspects(plain.rows, base) };
  };
  if (when.form !== 'range' || when.period === 'day') return daily(when);
  const periods = periodsOf(when.period, when);
  const whole = { from: periods.firstDayOf(when.from), to: periods.lastDayOf(when.to) };
  const { rows, estimate } = daily({ ...when, ...whole, period: 'day' });
  const means = meanRows(rows, periods);
  if (!when.stats) return { rows: means, estimate };
  return { rows: withStats(means, daily({ ...when, period: 'day' }).rows, when), estimate };
}

/** The official rates for the picked day, for today by default, or for the days of a range. */
function officialRows(rates: OfficialRates, request: ResolvedRequest, tomorrow: number): RateRows {
  const { when } = request;
  if (when.form === 'range') return { rows: officialRowsBetween(rates, request, when) };
  const picked = when.form === 'date' ? when : onOrBefore(tomorrow - 1);
  const newest = rates.table.days.length > 0 ? picked.day : undefined;
  return { rows: pickedOfficialRows(rates, request, picked), newest };
}
