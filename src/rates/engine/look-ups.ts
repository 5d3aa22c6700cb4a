import { lastUpTo } from '../snapshot/columns.js';
import { createPairRates, type PairRate } from '../snapshot/rows.js';
import { type OfficialRates, officialRowsOn } from '../sources/official.js';
import { createMissingRates } from './missing-rate.js';
import type { KnownRates } from './rate-source.js';

/** Finds rates of pairs, for many of them at once. */
export interface LookUps {
  /** Day number of the newest rates; undefined where there are none. */
  newest: number | undefined;
  /** The newest rate of a pair in the 14 days up to a day. */
  find(base: string, quote: string, asOf: number): PairRate | undefined;
  /** Why it has not found one. */
  missing: ReturnType<typeof createMissingRates>;
}

type Find = (quote: string, asOf: number) => PairRate | undefined;

/** Looks up pairs among rates. `tomorrow` is a day number: rates dated later are not yet the newest ones. */
export function lookUpsIn(rates: KnownRates, tomorrow: number): LookUps {
  const { days, columnsFor, exactFor, official } = rates;
  const byBase = new Map<string, Find>();
  return {
    // Official rates are known ahead: the newest ones are those of today.
    newest: official ? tomorrow - 1 : days[lastUpTo(days, tomorrow)],
    find(base, quote, asOf) {
      const find =
        byBase.get(base) ??
        (official ? findOfficial(official, base) : createPairRates(columnsFor(base), base, exactFor(base)));
      byBase.set(base, find);
      return find(quote, asOf);
    },
    missing: createMissingRates(rates),
  };
}

/** Finds the official rates of a base that are valid on a day. */
function findOfficial(rates: OfficialRates, base: string): Find {
  const byDay = new Map<number, Map<string, PairRate>>();
  return (quote, asOf) => {
    const known = byDay.get(asOf) ?? new Map<string, PairRate>();
    if (!byDay.has(asOf)) {
      byDay.set(asOf, known);
      for (const { day, rows } of officialRowsOn(rates, { base, quotes: undefined }, asOf)) {
        for (const row of rows) known.set(row.quote, { day, rate: row.rate });
      }
    }
    return known.get(quote);
  };
}
