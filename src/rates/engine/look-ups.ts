import { lastUpTo } from '../snapshot/columns.js';
import type { PickedDay } from '../snapshot/day-pick.js';
import { createPairRates, type PairRate } from '../snapshot/rows.js';
import { type OfficialRates, pickedOfficialRows } from '../sources/official.js';
import type { KnownRates } from './rate-source.js';

/** Finds rates of pairs, for many of them at once. */
export interface LookUps {
  /** Day number of the newest rates; undefined where there are none. */
  newest: number | undefined;
  /** The rate of a pair that is meant by a day. */
  find(base: string, quote: string, picked: PickedDay): PairRate | undefined;
}

type Find = (quote: string, picked: PickedDay) => PairRate | undefined;

/** Looks up pairs among rates. `tomorrow` is a day number: rates dated later are not yet the newest ones. */
export function lookUpsIn({ days, columnsFor, exactFor, official }: KnownRates, tomorrow: number): LookUps {
  const byBase = new Map<string, Find>();
  return {
    // Official rates are known ahead: the newest ones are those of today.
    newest: official ? tomorrow - 1 : days[lastUpTo(days, tomorrow)],
    find(base, quote, picked) {
      const find =
        byBase.get(base) ??
        (official ? findOfficial(official, base) : createPairRates(columnsFor(base), base, exactFor(base)));
      byBase.set(base, find);
      return find(quote, picked);
    },
  };
}

/** Finds the official rates of a base that are meant by a day. */
function findOfficial(rates: OfficialRates, base: string): Find {
  const byDay = new Map<string, Map<string, PairRate>>();
  return (quote, picked) => {
    const key = `${picked.day} ${picked.pick}`;
    const known = byDay.get(key) ?? new Map<string, PairRate>();
    if (!byDay.has(key)) {
      byDay.set(key, known);
      for (const { day, rows } of pickedOfficialRows(rates, { base, quotes: undefined }, picked)) {
        for (const row of rows) known.set(row.quote, { day, rate: row.rate });
      }
    }
    return known.get(quote);
  };
}
