import { GrowableArray } from '../../../core/columns/growable-array.js';
import { inSharedMemory } from '../../../core/columns/shared-memory.js';
import type { Blend } from '../../../core/domain/blend/blend.js';
import { SUSPICION_REASONS } from '../../../core/domain/blend/suspicion.js';
import type { DayBlends, Share } from './day-blends.js';

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

/** Collects what the blends of days are made of. */
export class SharesBuilder {
  readonly #numbers = new Map<string, number>();
  readonly #days = new GrowableArray(Int32Array);
  readonly #quotes = new GrowableArray(Uint16Array);
  readonly #starts = new GrowableArray(Uint32Array);
  readonly #providers = new GrowableArray(Uint16Array);
  readonly #observed = new GrowableArray(Int32Array);
  readonly #rates = new GrowableArray(Float64Array);
  readonly #states = new GrowableArray(Uint8Array);

  add({ day, blends, suspects }: DayBlends): void {
    for (const [quote, blend] of blends) {
      this.#days.push(day);
      this.#quotes.push(this.#numberOf(quote));
      this.#starts.push(this.#providers.length);
      for (const share of [...countedShares(blend), ...(suspects.get(quote) ?? [])].sort(byKey)) {
        this.#providers.push(this.#numberOf(share.key));
        this.#observed.push(share.day);
        this.#rates.push(share.rate);
        this.#states.push(stateOf(share));
      }
    }
  }

  finish(): PackedShares {
    this.#starts.push(this.#providers.length);
    return {
      days: this.#days.values,
      quotes: this.#quotes.values,
      starts: this.#starts.values,
      providers: this.#providers.values,
      observed: this.#observed.values,
      rates: this.#rates.values,
      states: this.#states.values,
      names: [...this.#numbers.keys()],
    };
  }

  #numberOf(name: string): number {
    const number = this.#numbers.get(name) ?? this.#numbers.size;
    this.#numbers.set(name, number);
    return number;
  }
}

/** What the blends of days are made of. */
export function packShares(blendsOfDays: Iterable<DayBlends>): PackedShares {
  const builder = new SharesBuilder();
  for (const blends of blendsOfDays) builder.add(blends);
  return builder.finish();
}

/** The same, to be looked up, in memory that threads share. */
export function unpackShares(made: PackedShares): Shares {
  const packed = inSharedMemory(made);
  const { days, quotes, starts, names } = packed;
  const blends = new Map<string, number>();
  for (let index = 0; index < days.length; index++)
    blends.set(`${names[quotes[index] ?? 0]} ${days[index]}`, index);
  return {
    packed,
    sharesOf(day, quote) {
      const blend = blends.get(`${quote} ${day}`);
      if (blend === undefined) return undefined;
      const [start = 0, end = start] = starts.subarray(blend, blend + 2);
      return Array.from({ length: end - start }, (_, offset) => shareAt(packed, start + offset));
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
