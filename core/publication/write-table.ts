import { parquetWriteBuffer } from 'hyparquet-writer';
import { COLUMNS, type Kind, schemaOf, type TableName, type TableRows } from './tables.js';

/** Enough for a browser to read one currency by ranges, and few enough to make the file only 3 % larger. */
const ROWS_OF_GROUP = 10_000;

/**
 * An Apache Parquet file, always of the same bytes for the same rows, for which both packages' versions are
 * pinned. All readers support Snappy: https://parquet.apache.org/docs/file-format/data-pages/compression/
 */
export function writeTable<Name extends TableName>(name: Name, rows: TableRows<Name>): Buffer {
  const columnData = Object.entries(COLUMNS[name]).flatMap(([column, kind]) => {
    const values = rows[column as keyof TableRows<Name>];
    return values ? [{ name: column, data: storedValues(kind, values) }] : [];
  });
  const file = parquetWriteBuffer({
    schema: schemaOf(name, new Set(columnData.map((column) => column.name))),
    columnData: columnData as Parameters<typeof parquetWriteBuffer>[0]['columnData'],
    createdBy: 'almanac',
    rowGroupSize: ROWS_OF_GROUP,
  });
  return Buffer.from(file);
}

function storedValues(kind: Kind, values: unknown) {
  if (kind === 'instant') return BigInt64Array.from(values as Float64Array, BigInt);
  if (kind !== 'optional rate') return values;
  return Array.from(values as Float64Array, (rate) => (Number.isNaN(rate) ? null : rate));
}
