import { GrowableArray } from '../../../core/columns/growable-array.js';
import type { Blend } from '../../../core/domain/blend/blend.js';
import { SUSPICION_REASONS } from '../../../core/domain/blend/suspicion.js';
import type { DayBlends, Share } from './day-blends.js';
import { numberIn } from './raw-table.js';

/** The shares of blends as plain data: those of blend `i` begin at `starts[i]` and end before `starts[i + 1]`. */
export type Shares = ReturnType<SharesBuilder['finish']>;

/** The states of a share that counts and of an outlier. A suspect one has the number of its reason plus two. */
const [COUNTED, EXCLUDED, SUSPECT] = [0, 1, 2];

export function sharesIn(blendsOfDays: Iterable<DayBlends>): Shares {
  const builder = new SharesBuilder();
  for (const blends of blendsOfDays) builder.add(blends);
  return builder.finish();
}

/** Collects the shares of blends, day by day, in some sixteen bytes a share. */
export class SharesBuilder {
  /** By quote and day number, the number of the blend. */
  readonly #blends = new Map<string, Map<number, number>>();
  readonly #starts = new GrowableArray(Uint32Array);
  readonly #names = new Map<string, number>();
  readonly #providers = new GrowableArray(Uint16Array);
  readonly #observed = new GrowableArray(Int32Array);
  readonly #rates = new GrowableArray(Float64Array);
  readonly #states = new GrowableArray(Uint8Array);

  /** Adds the blends of a day. Each day must be added once. */
  add({ day, blends, suspects }: DayBlends): void {
    for (const [quote, blend] of blends) {
      const ofQuote = this.#blends.get(quote) ?? new Map<number, number>();
      this.#blends.set(quote, ofQuote.set(day, this.#starts.length));
      this.#starts.push(this.#providers.length);
      for (const share of sharesOfBlend(blend, suspects.get(quote))) this.#push(share);
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
      blends: this.#blends as ReadonlyMap<string, ReadonlyMap<number, number>>,
      starts: this.#starts.values,
      /** For each share: its provider, as an index into `names`, its day number, its rate, and why it does not count. */
      providers: this.#providers.values,
      observed: this.#observed.values,
      rates: this.#rates.values,
      states: this.#states.values,
      /** Keys of providers. */
      names: [...this.#names.keys()],
    };
  }
}

function sharesOfBlend({ contributions, excluded }: Blend, suspects: readonly Share[] = []): Share[] {
  const counted = contributions.map(({ provider: key, day, rate }) => {
    return { key, day, rate, excluded: excluded.has(key) };
  });
  return [...counted, ...suspects].sort(byKey);
}

/** Returns the shares of a blend by provider, including suspect ones. `day` is a day number. Undefined without a blend. */
export function sharesOf(shares: Shares, day: number, quote: string): readonly Share[] | undefined {
  const { blends, starts } = shares;
  const blend = blends.get(quote)?.get(day);
  if (blend === undefined) return undefined;
  const found: Share[] = [];
  const end = starts[blend + 1] ?? 0;
  for (let index = starts[blend] ?? 0; index < end; index++) found.push(shareAt(shares, index));
  return found;
}

function shareAt({ providers, observed, rates, states, names }: Shares, index: number): Share {
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
