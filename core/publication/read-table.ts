import { parquetMetadata, parquetRead, type SchemaElement } from 'hyparquet';
import { PublicationError } from './publication-error.js';
import { schemaOf } from './table-schema.js';
import { COLUMNS, type Kind, type TableName, type TableRows } from './tables.js';

/** Without these, dates and instants would be objects. Texts are decoded once for each dictionary. */
const PARSERS = {
  dateFromDays: (days: number) => days,
  timestampFromMilliseconds: (milliseconds: bigint) => Number(milliseconds),
};

interface ReadOptions<Column> {
  path: string;
  most: number;
  /** All where absent. Instants take longest. */
  columns?: readonly Column[];
}

/**
 * The rows of a Parquet file that `writeTable` made, in some columns. Throws a PublicationError `rows` where it is none, has
 * other columns, or more rows than `most`.
 */
export async function readTable<
  Name extends TableName,
  Column extends keyof TableRows<Name> & string = keyof TableRows<Name> & string,
>(
  name: Name,
  bytes: Buffer,
  { path, ...options }: ReadOptions<Column>,
): Promise<Pick<TableRows<Name>, Column>> {
  try {
    return await readColumns(name, bytes, options);
  } catch (cause) {
    if (cause instanceof PublicationError) throw cause;
    throw new PublicationError('rows', `is no table of ${name}`, { path, cause });
  }
}

async function readColumns<Name extends TableName, Column extends keyof TableRows<Name> & string>(
  name: Name,
  bytes: Buffer,
  { most, columns: wanted }: Omit<ReadOptions<Column>, 'path'>,
): Promise<Pick<TableRows<Name>, Column>> {
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer;
  const metadata = parquetMetadata(file);
  const count = Number(metadata.num_rows);
  if (typesIn(metadata.schema) !== typesIn(schemaOf(name))) throw new RangeError('other columns');
  if (count > most) throw new RangeError(`${count} rows`);
  const kinds = Object.entries(COLUMNS[name]).filter(
    ([column]) => wanted?.includes(column as Column) ?? true,
  );
  const columns = Object.fromEntries(kinds.map(([column, kind]) => [column, columnOf(kind, count)]));
  await parquetRead({
    file,
    metadata,
    columns: Object.keys(columns),
    parsers: PARSERS,
    onChunk({ columnName, columnData, rowStart }) {
      columns[columnName]?.put(columnData, rowStart);
    },
  });
  return Object.fromEntries(
    Object.entries(columns).map(([column, { values, rows }]) => {
      if (rows() !== count) throw new RangeError(`${rows()} rows of ${column}`);
      return [column, values];
    }),
  ) as Pick<TableRows<Name>, Column>;
}

/** By what a file's values are decoded, as text. */
function typesIn(schema: readonly SchemaElement[]): string {
  return schema
    .slice(1)
    .map(({ name, type, repetition_type, converted_type }) => [name, type, repetition_type, converted_type])
    .join(';');
}

/** A column that is filled from its row groups. A typed array throws where they have more rows than the file says. */
function columnOf(kind: Kind, count: number) {
  let rows = 0;
  if (kind === 'text' || kind === 'optional text') {
    const values = new Array<string | null>(count);
    const put = (part: ArrayLike<unknown>, at: number) => {
      for (let index = 0; index < part.length; index++)
        values[at + index] = (part[index] ?? null) as string | null;
      rows += part.length;
    };
    return { values, put, rows: () => rows };
  }
  const values = kind === 'date' ? new Int32Array(count) : new Float64Array(count);
  const put = (part: ArrayLike<unknown>, at: number) => {
    values.set(part as ArrayLike<number>, at);
    rows += part.length;
  };
  return { values, put, rows: () => rows };
}
