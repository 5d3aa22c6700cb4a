/** The kinds of values in a table, each as the array that holds a column of it. */
interface Arrays {
  /** Day numbers. */
  date: Int32Array | readonly number[];
  /** Milliseconds since 1970. */
  instant: Float64Array;
  rate: Float64Array;
  text: readonly string[];
  /** Null where there is none. */
  'optional text': readonly (string | null)[];
}

export type Kind = keyof Arrays;

const PAIR = { date: 'date', base: 'text', quote: 'text', rate: 'rate' } as const;

/** The columns of each table, in their order in its files. */
export const COLUMNS = {
  /** The blended rates of days, base USD. */
  blended: PAIR,
  /** The rates of a provider as they are stored; `suspect` is what became of one that was doubted. */
  observations: { provider: 'text', ...PAIR, recorded_at: 'instant', suspect: 'optional text' },
  /** What was replaced: `rate` is the new one, `was` the one before, recorded at `recorded_at`. */
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

/** Rows of a table, by column. */
export type TableRows<Name extends TableName> = {
  readonly [Column in keyof (typeof COLUMNS)[Name]]: Arrays[(typeof COLUMNS)[Name][Column] & Kind];
};

/** By what the rows of a file are sorted; no two of them are equal in all of it. */
const SORTED_BY = {
  blended: ['quote', 'date'],
  observations: ['base', 'quote', 'date'],
  revisions: ['replaced_at', 'provider', 'date', 'base', 'quote', 'recorded_at'],
} as const satisfies Record<TableName, readonly string[]>;

type Values = ArrayLike<string | number | null>;

type Rows = Readonly<Record<string, Values>> & { readonly date: ArrayLike<number> };

/**
 * The index of the first row that does not come after the one before it, which for the first row is the last one of the rows
 * before; -1 where all do. Only the columns that rows are sorted by are needed.
 */
export function firstOutOfOrder(name: TableName, rows: Rows, before?: Rows): number {
  const count = rows.date.length;
  if (before && count > 0 && firstOutOfOrder(name, seamOf(name, before, rows)) >= 0) return 0;
  const order = new Int8Array(count);
  for (const column of SORTED_BY[name]) compareBy(rows[column] ?? [], order);
  for (let index = 1; index < count; index++) if (order[index] !== 1) return index;
  return -1;
}

/** Where a row is equal to the one before in what was compared: 1 if it comes after that in a column, -1 if before. */
function compareBy(values: Values, order: Int8Array): void {
  let before = values[0] ?? '';
  for (let index = 1; index < order.length; index++) {
    const value = values[index] ?? '';
    if (before !== value && order[index] === 0) order[index] = before < value ? 1 : -1;
    before = value;
  }
}

/** The last row before, and the first one of what follows. */
function seamOf(name: TableName, before: Rows, rows: Rows): Rows {
  const pair = (column: string) => [
    before[column]?.[before.date.length - 1] ?? null,
    rows[column]?.[0] ?? null,
  ];
  const columns = Object.fromEntries(SORTED_BY[name].map((column) => [column, pair(column)]));
  return { ...columns, date: pair('date').map(Number) };
}
