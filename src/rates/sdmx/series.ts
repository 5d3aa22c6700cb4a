import { GrowableArray } from '../../../core/columns/growable-array.js';
import type { Side } from '../../../core/domain/sides.js';
import { type HttpError, parameterError } from '../../http/errors.js';
import { excerpt } from '../../parameters/excerpt.js';
import { eitherOf, invalidCurrency } from '../../parameters/hints.js';
import { DIMENSIONS, type DimensionId } from './dataflow.js';
import type { Frequency } from './periods.js';

export interface Observation {
  /** Day number: the first day of its period. */
  readonly day: number;
  /** In the digits in which it is shown. */
  readonly value: number;
  readonly isSuspect: boolean;
  /** In a history: the instants from and to which it was valid, in milliseconds since 1970; `to` is 0 if it still is. */
  readonly validity?: { readonly from: number; readonly to: number } | undefined;
}

/** How many observations are wanted, from the beginning and from the end. */
type Ends = Readonly<Record<'first' | 'last', number | undefined>>;

/** A series with its observations in order, in columns, as there may be a million. */
export class Series {
  readonly #days = new GrowableArray(Int32Array);
  readonly #values = new GrowableArray(Float64Array);
  readonly #suspects = new GrowableArray(Uint8Array);
  readonly #validFrom = new GrowableArray(Float64Array);
  readonly #validTo = new GrowableArray(Float64Array);

  constructor(readonly key: SeriesKey) {}

  get isEmpty(): boolean {
    return this.#days.length === 0;
  }

  append({ day, value, isSuspect, validity }: Observation): void {
    this.#days.push(day);
    this.#values.push(value);
    this.#suspects.push(isSuspect ? 1 : 0);
    if (!validity) return;
    this.#validFrom.push(validity.from);
    this.#validTo.push(validity.to);
  }

  *observations(): Generator<Observation> {
    const [days, values, suspects] = [this.#days.values, this.#values.values, this.#suspects.values];
    const [validFrom, validTo] = [this.#validFrom.values, this.#validTo.values];
    const isHistory = validFrom.length > 0;
    for (let index = 0; index < days.length; index++) {
      yield {
        day: days[index] ?? 0,
        value: values[index] ?? Number.NaN,
        isSuspect: suspects[index] === 1,
        validity: isHistory ? { from: validFrom[index] ?? 0, to: validTo[index] ?? 0 } : undefined,
      };
    }
  }

  /** The observations of the first and of the last days; all if no number is given. */
  within({ first, last }: Ends): Series {
    if (first === undefined && last === undefined) return this;
    const days = this.#days.values.filter((day, index, all) => day !== all[index - 1]);
    const end = days[Math.min(first ?? 0, days.length) - 1] ?? Number.NEGATIVE_INFINITY;
    const start = days[Math.max(0, days.length - (last ?? 0))] ?? Number.POSITIVE_INFINITY;
    const wanted = new Series(this.key);
    for (const one of this.observations()) if (one.day <= end || one.day >= start) wanted.append(one);
    return wanted;
  }
}

/** Reads series in the order of their keys. They may be read more than once. */
export type SeriesReader = () => AsyncIterable<Series> | Iterable<Series>;

export function byKey({ key: one }: Pick<Series, 'key'>, { key: other }: Pick<Series, 'key'>): number {
  return codesOf(one).join('.') < codesOf(other).join('.') ? -1 : 1;
}

/** `A`: the mean of a period, or the rate of a day. `E`: the last daily rate of a period. */
export type Suffix = 'A' | 'E';

/** The codes of EXR_TYPE, with the side of the rates of a source that each selects; none for its rates themselves. */
export const RATE_TYPES = { SP00: undefined, BUY: 'buy', SELL: 'sell' } as const satisfies Record<
  string,
  Side | undefined
>;

export type RateType = keyof typeof RATE_TYPES;

export interface SeriesKey extends Readonly<Record<DimensionId, string>> {
  readonly FREQ: Frequency;
  readonly EXR_TYPE: RateType;
  readonly EXR_SUFFIX: Suffix;
}

export function codesOf(key: SeriesKey): string[] {
  return DIMENSIONS.map(({ id }) => key[id]);
}

/** The wanted codes of each dimension, sorted; undefined for any. */
export type KeySelection = Readonly<Record<DimensionId, readonly string[] | undefined>>;

const CODE = /^[A-Za-z0-9_@$-]+$/;
const WILDCARDS = new Set(['', '*']);
/** The codes that an empty code stands for; without an entry, any code. */
const DEFAULTS: Partial<Record<DimensionId, readonly string[]>> = {
  CURRENCY_DENOM: ['EUR'],
  EXR_TYPE: ['SP00'],
};
const MOST_KEYS = 100;

/** Throws an HttpError that names the key: 400 for another form, 422 for unknown codes. */
// A key has five codes separated by points: several with `+`, any with `*` or nothing. Commas separate keys, and
// `all` or nothing selects all series.
export function selectionsOf(text = ''): KeySelection[] {
  const keys = text === 'all' || WILDCARDS.has(text) ? [DIMENSIONS.map(() => '').join('.')] : text.split(',');
  if (keys.length > MOST_KEYS) throw badKey(`has more than ${MOST_KEYS} keys`);
  return keys.map(selectionOf);
}

function selectionOf(key: string): KeySelection {
  const parts = key.split('.');
  if (parts.length !== DIMENSIONS.length) {
    throw badKey(
      `has ${DIMENSIONS.length} codes with points between, ${DIMENSIONS.map(({ id }) => id).join('.')}, such as D.USD.EUR.SP00.A: ${excerpt(key)} has ${parts.length}`,
    );
  }
  const selected = DIMENSIONS.map((dimension, index) => [
    dimension.id,
    codesIn(parts[index] ?? '', dimension),
  ]);
  return Object.fromEntries(selected) as KeySelection;
}

function codesIn(
  part: string,
  { id, codelist: { codes } }: (typeof DIMENSIONS)[number],
): readonly string[] | undefined {
  if (WILDCARDS.has(part)) return DEFAULTS[id];
  const given = [...new Set(part.split('+').map((code) => code.toUpperCase()))].sort();
  for (const code of given) {
    if (code === '') throw badKey('has a code on both sides of each +');
    if (!CODE.test(code)) throw badKey(`has an invalid code: ${excerpt(code)}`);
    if (codes.has(code)) continue;
    const isCurrency = id === 'CURRENCY' || id === 'CURRENCY_DENOM';
    const message = isCurrency
      ? invalidCurrency(code)
      : `${id} is ${eitherOf([...codes.keys()])}, not ${excerpt(code)}`;
    throw parameterError(422, 'key', message, isCurrency ? 'unknown_currency' : undefined);
  }
  return given;
}

function badKey(problem: string): HttpError {
  return parameterError(400, 'key', `a key ${problem}`);
}

/** Whether a key selects a series. A wildcard does not select the currency itself. */
export function isSelected(selection: KeySelection, key: SeriesKey): boolean {
  const isOfItself = selection.CURRENCY === undefined && key.CURRENCY === key.CURRENCY_DENOM;
  const isDayAtEnd = key.FREQ === 'D' && key.EXR_SUFFIX === 'E';
  const has = (id: DimensionId) => selection[id]?.includes(key[id]) ?? true;
  return !isOfItself && !isDayAtEnd && DIMENSIONS.every(({ id }) => has(id));
}
