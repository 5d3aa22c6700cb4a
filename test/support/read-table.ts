import { readRowGroups } from '../../core/publication/read-tables.js';
import { COLUMNS, type Kind, type TableName, type TableRows } from '../../core/publication/tables.js';

/** All rows of a Parquet file, in all columns. */
export async function readTable<Name extends TableName>(
  name: Name,
  bytes: Buffer,
  options: { path: string; most: number },
): Promise<TableRows<Name>> {
  const groups: Readonly<Record<string, ArrayLike<unknown> | undefined>>[] = [];
  for await (const group of readRowGroups(name, bytes, options)) groups.push(group);
  return Object.fromEntries(
    Object.entries<Kind>(COLUMNS[name]).map(([column, kind]) => {
      const values = groups.flatMap((group) => Array.from(group[column] ?? []));
      if (kind === 'date') return [column, Int32Array.from(values, Number)];
      if (kind === 'optional rate' && values.length === 0) return [column, undefined];
      return [column, kind.endsWith('text') ? values : Float64Array.from(values, Number)];
    }),
  ) as TableRows<Name>;
}
