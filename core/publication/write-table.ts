import { parquetWriteBuffer } from 'hyparquet-writer';
import { COLUMNS, schemaOf, type TableName, type TableRows } from './tables.js';

/** Enough for a browser to read one currency by ranges, and few enough to make the file only 3 % larger. */
const ROWS_OF_GROUP = 10_000;

/**
 * An Apache Parquet file, always of the same bytes for the same rows, for which both packages' versions are
 * pinned. All readers support Snappy: https://parquet.apache.org/docs/file-format/data-pages/compression/
 */
export function writeTable<Name extends TableName>(name: Name, rows: TableRows<Name>): Buffer {
  const columns = Object.entries(COLUMNS[name]);
  const columnData = columns.map(([column, kind]) => {
    const values = rows[column as keyof TableRows<Name>];
    return { name: column, data: kind === 'instant' ? toBigInts(values as Float64Array) : values };
  });
  const file = parquetWriteBuffer({
    schema: schemaOf(name),
    columnData: columnData as Parameters<typeof parquetWriteBuffer>[0]['columnData'],
    createdBy: 'almanac',
    rowGroupSize: ROWS_OF_GROUP,
  });
  return Buffer.from(file);
}

function toBigInts(milliseconds: Float64Array): BigInt64Array {
  const instants = new BigInt64Array(milliseconds.length);
  milliseconds.forEach((instant, index) => {
    instants[index] = BigInt(instant);
  });
  return instants;
}
