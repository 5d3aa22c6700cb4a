import { GrowableArray } from '../../../core/columns/growable-array.js';
import { inSharedMemory } from '../../../core/columns/shared-memory.js';
import type { Blend } from '../../../core/domain/blend/blend.js';
import { SUSPICION_REASONS } from '../../../core/domain/blend/suspicion.js';
import type { DayBlends, Share } from './day-blends.js';
import { NumberedNames } from './numbered-names.js';

/** What blends are made of, as plain data. Blend `i` has the shares from index `starts[i]` up to but not including `starts[i + 1]`. */
export interface PackedShares {
  /** Of each blend, the day number and the quote, as an index into `names`. */
  readonly days: Int32Array;
  readonly quotes: Uint16Array;
  readonly starts: Uint32Array;
  /** Of each share: its provider, as an index into `names`, its day number, its rate, and why it does not count. */
  readonly providers: Uint16Array;
  readonly observed: Int32Array;
  readonly rates: Float64Array;
  readonly states: Uint8Array;
  /** Currency codes and provider keys. */
  readonly names: readonly string[];
}

/** What blends are made of. */
export interface Shares {
  readonly packed: PackedShares;
  /**
   * The shares of the blend of a quote on a day (day number), with the suspect ones that it leaves out, by provider. Undefined
   * without a blend.
   */
  sharesOf(day: number, quote: string): readonly Share[] | undefined;
}

/** The state of a share that counts, and that of an outlier; one that is suspect has the number of the reason after these. */
const [COUNTED, EXCLUDED, SUSPECT] = [0, 1, 2];

/** What the blends of days are made of. */
export function packShares(blendsOfDays: Iterable<DayBlends>): PackedShares {
  const names = new NumberedNames();
  const [days, quotes] = [new GrowableArray(Int32Array), new GrowableArray(Uint16Array)];
  const starts = new GrowableArray(Uint32Array);
  const [providers, observed] = [new GrowableArray(Uint16Array), new GrowableArray(Int32Array)];
  const [rates, states] = [new GrowableArray(Float64Array), new GrowableArray(Uint8Array)];
  for (const blends of blendsOfDays) {
    for (const quote of blends.blends.keys()) {
      days.push(blends.day);
      quotes.push(names.numberOf(quote));
      starts.push(providers.length);
      for (const share of sharesIn(blends, quote) ?? []) {
        providers.push(names.numberOf(share.key));
        observed.push(share.day);
        rates.push(share.rate);
        states.push(stateOf(share));
      }
    }
  }
  starts.push(providers.length);
  return {
    days: days.values,
    quotes: quotes.values,
    starts: starts.values,
    providers: providers.values,
    observed: observed.values,
    rates: rates.values,
    states: states.values,
    names: names.all,
  };
}

/** The shares of the blend of a quote: see Shares. */
export function sharesIn({ blends, suspects }: DayBlends, quote: string): Share[] | undefined {
  const blend = blends.get(quote);
  return blend && [...countedShares(blend), ...(suspects.get(quote) ?? [])].sort(byKey);
}

/** The same, to be looked up, in memory that threads share. */
export function unpackShares(made: PackedShares): Shares {
  const packed = inSharedMemory(made);
  const { days, quotes, starts, names } = packed;
  /** The indices of blends, by quote and day. */
  const blends = new Map(names.map((name) => [name, new Map<number, number>()]));
  days.forEach((day, index) => {
    blends.get(names[quotes[index] ?? 0] ?? '')?.set(day, index);
  });
  return {
    packed,
    sharesOf(day, quote) {
      const blend = blends.get(quote)?.get(day);
      if (blend === undefined) return undefined;
      const shares: Share[] = [];
      const end = starts[blend + 1] ?? 0;
      for (let index = starts[blend] ?? 0; index < end; index++) shares.push(shareAt(packed, index));
      return shares;
    },
  };
}

function shareAt({ providers, observed, rates, states, names }: PackedShares, index: number): Share {
  const state = states[index] ?? COUNTED;
  return {
    key: names[providers[index] ?? 0] ?? '',
    day: observed[index] ?? 0,
    rate: rates[index] ?? Number.NaN,
    excluded: state === EXCLUDED,
    suspect: SUSPICION_REASONS[state - SUSPECT],
  };
}

function stateOf({ excluded, suspect }: Share): number {
  if (suspect) return SUSPECT + SUSPICION_REASONS.indexOf(suspect);
  return excluded ? EXCLUDED : COUNTED;
}

function countedShares({ contributions, excluded }: Blend): Share[] {
  return contributions.map(({ provider, day, rate }) => ({
    key: provider,
    day,
    rate,
    excluded: excluded.has(provider),
    suspect: undefined,
  }));
}

/** The order of the sources of a row. */
export function byKey(one: Pick<Share, 'key' | 'day'>, other: Pick<Share, 'key' | 'day'>): number {
  if (one.key !== other.key) return one.key < other.key ? -1 : 1;
  return one.day - other.day;
}
