import type { SchemaElement } from 'hyparquet';
import { COLUMNS, type TableName } from './tables.js';

const TYPES = {
  date: { type: 'INT32', converted_type: 'DATE' },
  instant: {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MILLIS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
  },
  rate: { type: 'DOUBLE' },
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  'optional text': { type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' },
} as const satisfies Record<string, Partial<SchemaElement>>;

/** The schema of a table's Parquet files. All columns except optional texts are required. */
export function schemaOf(name: TableName): SchemaElement[] {
  const columns = Object.entries(COLUMNS[name]).map(([column, kind]) => ({
    name: column,
    repetition_type: 'REQUIRED' as const,
    ...TYPES[kind],
  }));
  return [{ name: 'root', num_children: columns.length }, ...columns];
}
