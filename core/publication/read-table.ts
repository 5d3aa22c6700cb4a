import { parquetMetadata, parquetRead } from 'hyparquet';
import { PublicationError } from './publication-error.js';
import { COLUMNS, type TableName, type TableRows } from './tables.js';

/** Without these, dates and instants would be objects. Texts are decoded once for each dictionary. */
const PARSERS = {
  dateFromDays: (days: number) => days,
  timestampFromMilliseconds: (milliseconds: bigint) => Number(milliseconds),
};

/**
 * The rows of a Parquet file that `writeTable` made. Throws a PublicationError `rows` where it is none, has other columns, or
 * more rows than `most`.
 */
export async function readTable<Name extends TableName>(
  name: Name,
  bytes: Buffer,
  { path, most }: { path: string; most: number },
): Promise<TableRows<Name>> {
  try {
    return await readColumns(name, bytes, most);
  } catch (cause) {
    if (cause instanceof PublicationError) throw cause;
    throw new PublicationError('rows', `is no table of ${name}`, { path, cause });
  }
}

async function readColumns<Name extends TableName>(
  name: Name,
  bytes: Buffer,
  most: number,
): Promise<TableRows<Name>> {
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer;
  const metadata = parquetMetadata(file);
  const count = Number(metadata.num_rows);
  const expected = Object.entries(COLUMNS[name]);
  const names = metadata.schema.slice(1).map((column) => column.name);
  if (names.join() !== expected.map(([column]) => column).join())
    throw new RangeError(`columns ${names.join()}`);
  if (count > most) throw new RangeError(`${count} rows`);
  const columns = Object.fromEntries(expected.map(([column, kind]) => [column, arrayOf(kind, count)]));
  await parquetRead({
    file,
    metadata,
    parsers: PARSERS,
    onChunk({ columnName, columnData, rowStart }) {
      const column = columns[columnName];
      if (!column || rowStart + columnData.length > count) throw new RangeError('rows beyond its end');
      for (let index = 0; index < columnData.length; index++) column[rowStart + index] = columnData[index];
    },
  });
  return columns as TableRows<Name>;
}

type Writable = { [index: number]: unknown };

function arrayOf(kind: string, count: number): Writable {
  if (kind === 'date') return new Int32Array(count);
  if (kind === 'rate' || kind === 'instant') return new Float64Array(count);
  return new Array<string | null>(count).fill(null);
}
