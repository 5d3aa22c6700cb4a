import { lastUpTo } from '../../../core/columns/columns.js';
import { onOrBefore, type PickedDay } from '../../../core/domain/day-pick.js';
import { currencyOf, rateBetween } from '../../../core/domain/minor-unit-aliases.js';
import { createPairRates, type PairRate } from '../snapshot/rows.js';
import { type OfficialRates, pickedOfficialRows } from '../sources/official.js';
import { createMissingRates } from './missing-rate.js';
import type { KnownRates } from './rate-source.js';

export type LookUps = ReturnType<typeof lookUpsIn>;

type Find = (quote: string, picked: PickedDay) => PairRate | undefined;

/** Looks up pairs among rates. `tomorrow` is a day number: rates dated later do not count as the newest yet. */
export function lookUpsIn(rates: KnownRates, tomorrow: number) {
  const { days, columnsFor, ownFor, official } = rates;
  const byBase = new Map<string, Find>();
  // Official rates are known in advance: the newest ones are those of today.
  const newestDay = official ? tomorrow - 1 : days[lastUpTo(days, tomorrow)];
  const newest = newestDay === undefined ? undefined : onOrBefore(newestDay);
  return {
    /** Day number. */
    today: tomorrow - 1,
    newest,
    /** Finds the rate of a pair for a picked day. Either of the pair may be a minor unit. */
    find(base: string, quote: string, picked: PickedDay): PairRate | undefined {
      const currency = currencyOf(base);
      const find =
        byBase.get(currency) ??
        (official
          ? findOfficial(official, currency)
          : createPairRates(columnsFor(currency), currency, ownFor(currency)));
      byBase.set(currency, find);
      const found = find(currencyOf(quote), picked);
      return found && { day: found.day, rate: rateBetween(base, quote, found.rate) };
    },
    missing: createMissingRates(rates, newest),
  };
}

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
