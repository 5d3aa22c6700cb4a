import { WINDOW_DAYS } from '../../../core/domain/blend/carry-forward.js';
import { type Clock, todayNumber } from '../../../core/domain/clock.js';
import { type Columns, columnsForBase, lastUpTo } from '../snapshot/columns.js';
import type { ExactPairs } from '../snapshot/row.js';
import { createPairRates, type PairRate, pegsOn } from '../snapshot/rows.js';
import type { Snapshot } from '../snapshot/snapshot.js';
import { type OfficialRates, officialRowsOn } from '../sources/official.js';
import { portionsOf } from '../sources/portions.js';
import type { RawStore } from '../sources/raw-store.js';
import { createSubsetBlend } from '../sources/subset-blend.js';
import { clockAt } from './request.js';

/** Finds rates of pairs, for many of them at once. */
export interface LookUps {
  /** Day number of the newest rates; undefined where there are none. */
  newest: number | undefined;
  /** The rates for rows of a base. */
  columnsFor(base: string): Columns;
  /** The newest rate of a pair in the 14 days up to a day. */
  find(base: string, quote: string, asOf: number): PairRate | undefined;
}

interface LookUpRequest {
  snapshot: Snapshot;
  /** The providers to look in; undefined for the blend of all. */
  providers: readonly string[] | undefined;
  /** The days that are looked up; without an end, up to the newest. Only a subset of the providers is read for them. */
  days: { from: number | undefined; to: number | undefined };
  /** The instant at which the rates were known, where the snapshot is of a past version. */
  asOf?: number | undefined;
}

interface Dependencies {
  raw: RawStore;
  clock: Clock;
}

type Reader = Parameters<RawStore['read']>[2];

interface Rates {
  readonly days: Int32Array;
  columnsFor(base: string): Columns;
  exactFor(base: string): ExactPairs | undefined;
  official?: OfficialRates;
}

type Find = (quote: string, asOf: number) => PairRate | undefined;

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

/** Prepares look-ups. Throws as the raw store does. */
export async function lookUpsOf(
  { raw, clock }: Dependencies,
  request: LookUpRequest,
  reader: Reader,
): Promise<LookUps> {
  const { asOf } = request;
  const tomorrow = todayNumber(clockAt(asOf, clock)) + 1;
  const { days, columnsFor, exactFor, official } = await ratesFor(raw, request, { tomorrow, reader });
  const byBase = new Map<string, Find>();
  return {
    columnsFor,
    // Official rates are known ahead: the newest ones are those of today.
    newest: official ? tomorrow - 1 : days[lastUpTo(days, tomorrow)],
    find(base, quote, asOf) {
      const find =
        byBase.get(base) ??
        (official ? findOfficial(official, base) : createPairRates(columnsFor(base), base, exactFor(base)));
      byBase.set(base, find);
      return find(quote, asOf);
    },
  };
}

async function ratesFor(
  raw: RawStore,
  { snapshot, providers, days }: LookUpRequest,
  { tomorrow, reader }: { tomorrow: number; reader: Reader },
): Promise<Rates> {
  if (!providers || providers.length === 0) {
    const all = snapshot.days;
    return {
      days: all.days,
      columnsFor: (base) => columnsForBase(all, base),
      exactFor: (base) => pegsOn(base, all.days),
    };
  }
  const [key, ...others] = providers;
  if (key !== undefined && others.length === 0) {
    return raw.ofProvider(snapshot, key, reader);
  }
  const known = await raw.span(snapshot, providers, tomorrow, reader);
  const to = Math.min(days.to ?? tomorrow, known?.newest ?? tomorrow);
  const from = Math.max(Math.min(days.from ?? to, to) - 2 * WINDOW_DAYS, known?.first ?? tomorrow);
  const all = await subsetBetween(raw, { snapshot, providers, from, to }, reader);
  return { days: all.days, columnsFor: () => all, exactFor: () => undefined };
}

async function subsetBetween(
  raw: RawStore,
  {
    snapshot,
    providers,
    from,
    to,
  }: { snapshot: Snapshot; providers: readonly string[]; from: number; to: number },
  reader: Reader,
): Promise<Columns> {
  const blend = createSubsetBlend();
  for (const window of portionsOf(from, to)) {
    const days = { from: window.from - WINDOW_DAYS, to: window.to };
    const table = await raw.read(snapshot, { providers, ...days }, reader);
    await blend.add(table, window, reader.yieldNow);
  }
  return blend.finish();
}
