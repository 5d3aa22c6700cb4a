import { GrowableArray } from '../../../core/columns/growable-array.js';
import type { DataQuery } from './data-query.js';
import { codesOf, type SeriesKey } from './series-key.js';

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
type Ends = Pick<DataQuery, 'first' | 'last'>;

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
