import { GrowableArray } from '../../../core/columns/growable-array.js';
import type { Blend } from '../../../core/domain/blend/blend.js';
import { SUSPICION_REASONS } from '../../../core/domain/blend/suspicion.js';
import type { DayBlends, Share } from './day-blends.js';
import { numberIn } from './raw-table.js';

/** The shares of blends as plain data: those of blend `i` begin at `starts[i]` and end before `starts[i + 1]`. */
export type PackedShares = ReturnType<SharesPacker['finish']>;

export type Shares = ReturnType<typeof unpackShares>;

/** The states of a share that counts and of an outlier. A suspect one has the number of its reason plus two. */
const [COUNTED, EXCLUDED, SUSPECT] = [0, 1, 2];

export function packShares(blendsOfDays: Iterable<DayBlends>): PackedShares {
  const packer = new SharesPacker();
  for (const blends of blendsOfDays) packer.add(blends);
  return packer.finish();
}

/** Packs the shares of blends, day by day, in some sixteen bytes a share. */
export class SharesPacker {
  readonly #names = new Map<string, number>();
  readonly #days = new GrowableArray(Int32Array);
  readonly #quotes = new GrowableArray(Uint16Array);
  readonly #starts = new GrowableArray(Uint32Array);
  readonly #providers = new GrowableArray(Uint16Array);
  readonly #observed = new GrowableArray(Int32Array);
  readonly #rates = new GrowableArray(Float64Array);
  readonly #states = new GrowableArray(Uint8Array);

  /** Adds the blends of a day. Each day must be added once. */
  add({ day, blends, suspects }: DayBlends): void {
    for (const [quote, blend] of blends) {
      this.#days.push(day);
      this.#quotes.push(numberIn(this.#names, quote));
      this.#starts.push(this.#providers.length);
      for (const share of sharesOf(blend, suspects.get(quote))) this.#push(share);
    }
  }

  #push({ key, day, rate, excluded, suspect }: Share): void {
    this.#providers.push(numberIn(this.#names, key));
    this.#observed.push(day);
    this.#rates.push(rate);
    const state = excluded ? EXCLUDED : COUNTED;
    this.#states.push(suspect ? SUSPECT + SUSPICION_REASONS.indexOf(suspect) : state);
  }

  finish() {
    this.#starts.push(this.#providers.length);
    return {
      /** For each blend, the day number and the quote, as an index into `names`. */
      days: this.#days.values,
      quotes: this.#quotes.values,
      starts: this.#starts.values,
      /** For each share: its provider, as an index into `names`, its day number, its rate, and why it does not count. */
      providers: this.#providers.values,
      observed: this.#observed.values,
      rates: this.#rates.values,
      states: this.#states.values,
      /** Currency codes and provider keys. */
      names: [...this.#names.keys()],
    };
  }
}

function sharesOf({ contributions, excluded }: Blend, suspects: readonly Share[] = []): Share[] {
  const counted = contributions.map(({ provider: key, day, rate }) => {
    return { key, day, rate, excluded: excluded.has(key) };
  });
  return [...counted, ...suspects].sort(byKey);
}

export function unpackShares(packed: PackedShares) {
  const { days, quotes, starts, names } = packed;
  const blends = new Map(names.map((name) => [name, new Map<number, number>()]));
  days.forEach((day, index) => {
    blends.get(names[quotes[index] ?? 0] ?? '')?.set(day, index);
  });
  return {
    packed,
    /** Returns shares by provider, including suspect ones. `day` is a day number. Undefined without a blend. */
    sharesOf(day: number, quote: string): readonly Share[] | undefined {
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

export function byKey(one: Pick<Share, 'key' | 'day'>, other: Pick<Share, 'key' | 'day'>): number {
  if (one.key !== other.key) return one.key < other.key ? -1 : 1;
  return one.day - other.day;
}
