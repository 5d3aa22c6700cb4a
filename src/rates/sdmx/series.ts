import { GrowableArray } from '../../../core/columns/growable-array.js';
import type { Side } from '../../../core/domain/sides.js';
import { type HttpError, parameterError } from '../../http/errors.js';
import { excerpt } from '../../parameters/excerpt.js';
import { eitherOf, invalidCurrency } from '../../parameters/hints.js';
import { DIMENSIONS, type DimensionId } from './dataflow.js';
import type { Frequency } from './periods.js';

/** A series with its observations in order, in columns, as there may be a million. */
export interface Series {
  readonly key: SeriesKey;
  /** Day numbers: the first days of periods. */
  readonly days: Int32Array;
  /** In the digits in which they are shown. */
  readonly values: Float64Array;
  /** 1 for an observation of low reliability. */
  readonly suspects: Uint8Array;
  /** In a history: the instants from and to which each was valid, in milliseconds since 1970; 0 if it still is. */
  readonly validFrom?: Float64Array;
  readonly validTo?: Float64Array;
}

/** Reads series in the order of their keys. They may be read more than once. */
export type SeriesReader = () => AsyncIterable<Series> | Iterable<Series>;

/** How many observations are wanted, from the beginning and from the end. */
type Ends = Readonly<Record<'first' | 'last', number | undefined>>;

export class SeriesColumns {
  readonly #days = new GrowableArray(Int32Array);
  readonly #values = new GrowableArray(Float64Array);
  readonly #suspects = new GrowableArray(Uint8Array);
  readonly #validFrom = new GrowableArray(Float64Array);
  readonly #validTo = new GrowableArray(Float64Array);

  constructor(readonly key: SeriesKey) {}

  get isEmpty(): boolean {
    return this.#days.length === 0;
  }

  append(day: number, value: number, isSuspect: boolean, validity?: { from: number; to: number }): void {
    this.#days.push(day);
    this.#values.push(value);
    this.#suspects.push(isSuspect ? 1 : 0);
    if (!validity) return;
    this.#validFrom.push(validity.from);
    this.#validTo.push(validity.to);
  }

  finish(ends: Ends): Series {
    const series: Series = {
      key: this.key,
      days: this.#days.values,
      values: this.#values.values,
      suspects: this.#suspects.values,
      ...(this.#validFrom.length > 0 && {
        validFrom: this.#validFrom.values,
        validTo: this.#validTo.values,
      }),
    };
    const isWanted = wantedDays(series.days, ends);
    if (!isWanted) return series;
    return observationsAt(
      series,
      [...series.days.keys()].filter((index) => isWanted(series.days[index] ?? 0)),
    );
  }
}

export function observationsAt(
  { key, days, values, suspects, validFrom, validTo }: Series,
  indices: readonly number[],
): Series {
  const at = (column: ArrayLike<number>) => indices.map((index) => column[index] ?? 0);
  return {
    key,
    days: Int32Array.from(at(days)),
    values: Float64Array.from(at(values)),
    suspects: Uint8Array.from(at(suspects)),
    ...(validFrom && { validFrom: Float64Array.from(at(validFrom)) }),
    ...(validTo && { validTo: Float64Array.from(at(validTo)) }),
  };
}

/** Undefined if all days are wanted. */
function wantedDays(days: Int32Array, { first, last }: Ends): ((day: number) => boolean) | undefined {
  if (first === undefined && last === undefined) return undefined;
  const distinct = days.filter((day, index) => day !== days[index - 1]);
  const end = distinct[Math.min(first ?? 0, distinct.length) - 1] ?? Number.NEGATIVE_INFINITY;
  const start = distinct[Math.max(0, distinct.length - (last ?? 0))] ?? Number.POSITIVE_INFINITY;
  return (day) => day <= end || day >= start;
}

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

export interface SeriesKey {
  readonly frequency: Frequency;
  readonly currency: string;
  readonly denominator: string;
  readonly type: RateType;
  readonly suffix: Suffix;
}

export function codesOf({ frequency, currency, denominator, type, suffix }: SeriesKey): string[] {
  return [frequency, currency, denominator, type, suffix];
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
export function isSelected(
  selection: KeySelection,
  { frequency, currency, denominator, type, suffix }: SeriesKey,
): boolean {
  const has = (id: DimensionId, code: string) => selection[id]?.includes(code) ?? true;
  return (
    has('FREQ', frequency) &&
    (selection.CURRENCY?.includes(currency) ?? currency !== denominator) &&
    has('CURRENCY_DENOM', denominator) &&
    has('EXR_TYPE', type) &&
    has('EXR_SUFFIX', suffix) &&
    !(frequency === 'D' && suffix === 'E')
  );
}
