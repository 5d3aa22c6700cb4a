/** The kinds of values in a table, with the array type of a column. */
interface Arrays {
  /** Day numbers. */
  date: Int32Array | readonly number[];
  /** Milliseconds since 1970. */
  instant: Float64Array;
  rate: Float64Array;
  text: readonly string[];
  /** Null if missing. */
  'optional text': readonly (string | null)[];
}

export type Kind = keyof Arrays;

const PAIR = { date: 'date', base: 'text', quote: 'text', rate: 'rate' } as const;

/** The columns of each table, in the order of its files. */
export const COLUMNS = {
  /** The blended rates of days, base USD. */
  blended: PAIR,
  /** The stored rates of a provider. `suspect` is the status of a rate that was doubted. */
  observations: { provider: 'text', ...PAIR, recorded_at: 'instant', suspect: 'optional text' },
  /** Replaced rates: `rate` is the new one, `was` the old one, recorded at `recorded_at`. */
  revisions: {
    provider: 'text',
    ...PAIR,
    was: 'rate',
    recorded_at: 'instant',
    replaced_at: 'instant',
    cause: 'optional text',
  },
} as const satisfies Record<string, Readonly<Record<string, Kind>>>;

export type TableName = keyof typeof COLUMNS;

/** The rows of a table, by column. */
export type TableRows<Name extends TableName> = {
  readonly [Column in keyof (typeof COLUMNS)[Name]]: Arrays[(typeof COLUMNS)[Name][Column] & Kind];
};

/** The sort order of a file's rows, which is also a unique key. */
const SORTED_BY = {
  blended: ['quote', 'date'],
  observations: ['base', 'quote', 'date'],
  revisions: ['replaced_at', 'provider', 'date', 'base', 'quote', 'recorded_at'],
} as const satisfies Record<TableName, readonly string[]>;

type Values = ArrayLike<string | number | null>;

type Rows = Readonly<Record<string, Values>> & { readonly date: ArrayLike<number> };

/**
 * The index of the first row that does not come after its predecessor; -1 if all do. The predecessor of the first row is the
 * last row of `before`. Only needs the columns of the sort order.
 */
export function firstOutOfOrder(name: TableName, rows: Rows, before?: Rows): number {
  const count = rows.date.length;
  if (before && count > 0 && firstOutOfOrder(name, seamOf(name, before, rows)) >= 0) return 0;
  const order = new Int8Array(count);
  for (const column of SORTED_BY[name]) compareBy(rows[column] ?? [], order);
  for (let index = 1; index < count; index++) if (order[index] !== 1) return index;
  return -1;
}

/**
 * Updates the order of rows that were equal to their predecessor so far: 1 if a row comes after it in this column, -1 if
 * before.
 */
function compareBy(values: Values, order: Int8Array): void {
  let before = values[0] ?? '';
  for (let index = 1; index < order.length; index++) {
    const value = values[index] ?? '';
    if (before !== value && order[index] === 0) order[index] = before < value ? 1 : -1;
    before = value;
  }
}

/** The last row of `before` and the first one of `rows`. */
function seamOf(name: TableName, before: Rows, rows: Rows): Rows {
  const pair = (column: string) => [
    before[column]?.[before.date.length - 1] ?? null,
    rows[column]?.[0] ?? null,
  ];
  const columns = Object.fromEntries(SORTED_BY[name].map((column) => [column, pair(column)]));
  return { ...columns, date: pair('date').map(Number) };
}
