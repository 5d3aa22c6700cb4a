import type { SchemaElement } from 'hyparquet';
import { type Columns, firstFrom, type NamedSeries, rateAt } from '../columns/columns.js';
import { PIVOT } from '../domain/blend/carry-forward.js';

interface Arrays {
  /** Day numbers. */
  date: Int32Array;
  /** Milliseconds since 1970. */
  instant: Float64Array;
  rate: Float64Array;
  /** NaN if missing. A file in which all are missing lacks the column. */
  'optional rate': Float64Array | undefined;
  text: readonly string[];
  /** Null if missing. */
  'optional text': readonly (string | null)[];
}

export type Kind = keyof Arrays;

const PAIR = { date: 'date', base: 'text', quote: 'text', rate: 'rate' } as const;

/** What a source publishes as its buying and selling rates. */
const SIDES = { buy: 'optional rate', sell: 'optional rate' } as const;

export const COLUMNS = {
  /** The blended rates of days, base USD. */
  blended: PAIR,
  /** The stored rates of a provider. `suspect` is the status of a rate that was suspected. */
  observations: {
    provider: 'text',
    ...PAIR,
    recorded_at: 'instant',
    suspect: 'optional text',
    ...SIDES,
  },
  /** Replaced rates: `rate` and its sides are the new ones, `was` the old one, recorded at `recorded_at`. */
  revisions: {
    provider: 'text',
    ...PAIR,
    was: 'rate',
    recorded_at: 'instant',
    replaced_at: 'instant',
    cause: 'optional text',
    ...SIDES,
    buy_was: 'optional rate',
    sell_was: 'optional rate',
  },
} as const satisfies Record<string, Readonly<Record<string, Kind>>>;

export type TableName = keyof typeof COLUMNS;

export type TableRows<Name extends TableName> = {
  readonly [Column in keyof (typeof COLUMNS)[Name]]: Arrays[(typeof COLUMNS)[Name][Column] & Kind];
};

const TYPES = {
  date: { type: 'INT32', converted_type: 'DATE' },
  instant: {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MILLIS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
  },
  rate: { type: 'DOUBLE' },
  'optional rate': { type: 'DOUBLE', repetition_type: 'OPTIONAL' },
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  'optional text': { type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' },
} as const satisfies Record<string, Partial<SchemaElement>>;

/** The schema of a table's Parquet file with columns of these names. Only columns of optional rates may be absent. */
export function schemaOf(name: TableName, present: ReadonlySet<string>): SchemaElement[] {
  const columns = Object.entries(COLUMNS[name])
    .filter(([column, kind]) => kind !== 'optional rate' || present.has(column))
    .map(([column, kind]) => ({ name: column, repetition_type: 'REQUIRED' as const, ...TYPES[kind] }));
  return [{ name: 'root', num_children: columns.length }, ...columns];
}

/** The values of a column as its kind of array. Missing ones may be undefined, and instants bigints. */
export function columnOf(kind: Kind, values: ArrayLike<unknown>) {
  if (kind === 'text') return values;
  if (kind === 'optional text') return Array.from(values, (text) => text ?? null);
  if (kind === 'date') return values instanceof Int32Array ? values : Int32Array.from(values, Number);
  if (kind === 'rate' && values instanceof Float64Array) return values;
  return Float64Array.from(values, (value) => Number(value ?? Number.NaN));
}

type Value = string | number | null;

const SORTED_BY = {
  blended: ['quote', 'date'],
  observations: ['base', 'quote', 'date'],
  revisions: ['replaced_at', 'provider', 'date', 'base', 'quote', 'recorded_at'],
} as const satisfies Record<TableName, readonly string[]>;

type Rows = Readonly<Record<string, ArrayLike<Value> | undefined>> & {
  readonly date: ArrayLike<number>;
};

/** The first row not after its predecessor (for row 0, the last of `before`), else -1. Needs the sort columns. */
export function firstOutOfOrder(name: TableName, rows: Rows, before?: Rows): number {
  const sortedIn = (of: Rows) => SORTED_BY[name].map((column) => of[column] ?? []);
  const columns = sortedIn(rows);
  const count = rows.date.length;
  if (before && count > 0 && !comesAfter(columns, 0, sortedIn(before), before.date.length - 1)) return 0;
  for (let index = 1; index < count; index++)
    if (!comesAfter(columns, index, columns, index - 1)) return index;
  return -1;
}

type Values = readonly ArrayLike<Value>[];

function comesAfter(columns: Values, index: number, others: Values, other: number): boolean {
  for (let at = 0; at < columns.length; at++) {
    const value = columns[at]?.[index] ?? '';
    const before = others[at]?.[other] ?? '';
    if (value !== before) return value > before;
  }
  return false;
}

type DatedRates = Pick<TableRows<'blended'>, 'date' | 'quote' | 'rate'>;

/** The rows must be grouped by quote. Series are views of typed arrays. */
export function* seriesIn({ date, quote, rate }: DatedRates): Generator<NamedSeries> {
  for (let start = 0, end = 0; start < quote.length; start = end) {
    const code = quote[start];
    do end++;
    while (end < quote.length && quote[end] === code);
    yield [code ?? '', { days: date.subarray(start, end), rates: rate.subarray(start, end) }];
  }
}

/** Day numbers, both included. Sorted by quote and date. */
export function blendedRows(columns: Columns, from: number, to: number): TableRows<'blended'> {
  const start = firstFrom(columns.days, from);
  const end = firstFrom(columns.days, to + 1);
  const dates: number[] = [];
  const quotes: string[] = [];
  const rates: number[] = [];
  for (const quote of columns.quotes) {
    const column = columns.byQuote.get(quote);
    for (let index = start; column && index < end; index++) {
      const rate = rateAt(column, index);
      if (Number.isNaN(rate)) continue;
      dates.push(columns.days[index] ?? 0);
      quotes.push(quote);
      rates.push(rate);
    }
  }
  return {
    date: Int32Array.from(dates),
    base: quotes.map(() => PIVOT),
    quote: quotes,
    rate: Float64Array.from(rates),
  };
}
