import {
  type AsyncBuffer,
  type FileMetaData,
  parquetMetadata,
  parquetRead,
  type SchemaElement,
} from 'hyparquet';
import { type ManifestFile, readExpected } from './open-publication.js';
import { PublicationError } from './publication-error.js';
import type { PublicationFiles } from './publication-files.js';
import { COLUMNS, columnOf, type Kind, schemaOf, type TableName, type TableRows } from './tables.js';

type ColumnOf<Name extends TableName> = keyof TableRows<Name> & string;

/** One row group at a time, as large arrays fill slowly. Throws a PublicationError `rows` for an unexpected file. */
export async function* readRowGroups<Name extends TableName, Column extends ColumnOf<Name> = ColumnOf<Name>>(
  name: Name,
  bytes: Buffer,
  { path, most, columns }: { path: string; most: number; columns?: readonly Column[] | undefined },
): AsyncGenerator<Pick<TableRows<Name>, Column>> {
  try {
    const file = asFile(bytes);
    const metadata = parquetMetadata(bytes);
    const present = new Set(metadata.schema.map((column) => column.name));
    if (typesIn(metadata.schema) !== typesIn(schemaOf(name, present))) throw new RangeError('other columns');
    const kinds = Object.entries(COLUMNS[name]).filter(
      ([column]) => present.has(column) && (columns?.includes(column as Column) ?? true),
    );
    let rows = 0;
    for (const group of metadata.row_groups) {
      rows += Number(group.num_rows);
      if (rows > most) throw new RangeError(`${rows} rows`);
      const only = { ...withoutConversions(metadata), row_groups: [group], num_rows: group.num_rows };
      yield (await readGroup(file, only, kinds)) as Pick<TableRows<Name>, Column>;
    }
  } catch (cause) {
    throw new PublicationError('rows', `is not a table of ${name}`, { path, cause });
  }
}

/** Like `readRowGroups`. Throws a PublicationError also if the file differs from the manifest's list. */
export async function* readTableFile<Name extends TableName, Column extends ColumnOf<Name> = ColumnOf<Name>>(
  files: PublicationFiles,
  name: Name,
  file: ManifestFile,
  columns?: readonly Column[],
): AsyncGenerator<Pick<TableRows<Name>, Column>> {
  yield* readRowGroups(name, await readExpected(files, file), { path: file.path, most: file.rows, columns });
}

/** Does not copy the whole buffer. */
function asFile({ buffer, byteOffset, length }: Buffer): AsyncBuffer {
  return {
    byteLength: length,
    slice: (start, end = length) => buffer.slice(byteOffset + start, byteOffset + end) as ArrayBuffer,
  };
}

async function readGroup(file: AsyncBuffer, metadata: FileMetaData, kinds: readonly [string, Kind][]) {
  const pages = new Map<string, ArrayLike<unknown>[]>(kinds.map(([column]) => [column, []]));
  await parquetRead({
    file,
    metadata,
    columns: [...pages.keys()],
    onChunk: ({ columnName, columnData }) => void pages.get(columnName)?.push(columnData),
  });
  return Object.fromEntries(
    kinds.map(([column, kind]) => {
      const [first = [], ...others] = pages.get(column) ?? [];
      const values =
        others.length === 0 ? first : [first, ...others].flatMap((page): unknown[] => Array.from(page));
      if (values.length !== Number(metadata.num_rows))
        throw new RangeError(`${values.length} rows of ${column}`);
      return [column, columnOf(kind, values)];
    }),
  );
}

function typesIn(schema: readonly SchemaElement[]): string {
  return schema
    .slice(1)
    .map(({ name, type, repetition_type, converted_type }) => [name, type, repetition_type, converted_type])
    .join(';');
}

/** Dates and instants stay the stored numbers, instead of an object for each. */
function withoutConversions(metadata: FileMetaData): FileMetaData {
  const schema = metadata.schema.map(({ logical_type, converted_type, ...element }) =>
    converted_type === 'UTF8' ? { ...element, converted_type } : element,
  );
  return { ...metadata, schema };
}
