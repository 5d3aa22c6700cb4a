import {
  type FileMetaData,
  type ParquetRowRange,
  type ParquetScan,
  parquetMetadata,
  parquetScan,
  type SchemaElement,
} from 'hyparquet';
import { type Columns, columnsOf, type NamedSeries } from '../columns/columns.js';
import { digestOf } from '../columns/digest.js';
import { type BlendedPeriods, blendedPeriods } from '../columns/means.js';
import { PIVOT } from '../domain/blend/carry-forward.js';
import { dayOf, daysOfYear } from '../domain/dates.js';
import { type Manifest, type ManifestFile, readExpected } from './open-publication.js';
import { PublicationError } from './publication-error.js';
import type { PublicationFiles } from './publication-files.js';
import {
  COLUMNS,
  columnOf,
  firstOutOfOrder,
  type Kind,
  schemaOf,
  seriesIn,
  type TableName,
  type TableRows,
} from './tables.js';

export type TableFile = ManifestFile & { table: TableName };

export function isTable(file: ManifestFile): file is TableFile {
  return file.table !== 'currencies' && file.table !== 'providers';
}

type CheckedRows = Pick<TableRows<'blended'>, 'date' | 'base' | 'quote'> & Partial<TableRows<'revisions'>>;

/** Checks the size, the hash and the rows of a file. Adds blended rates to `blended`. */
export async function checkTable(
  files: PublicationFiles,
  file: TableFile,
  blended: NamedSeries[],
): Promise<void> {
  const { table, path } = file;
  const groups: AsyncIterable<CheckedRows> =
    table === 'observations'
      ? readTableFile(files, table, file, ['provider', 'date', 'base', 'quote'])
      : readTableFile(files, table, file);
  let before: CheckedRows | undefined;
  let count = 0;
  for await (const rows of groups) {
    checkRows(file, rows, { before, count });
    if (table === 'blended' && rows.rate) blended.push(...seriesIn({ ...rows, rate: rows.rate }));
    before = rows;
    count += rows.date.length;
  }
  if (count !== file.rows)
    throw new PublicationError('rows', `has ${count} rows instead of ${file.rows}`, { path });
}

function checkRows(
  { path, table }: TableFile,
  rows: CheckedRows,
  { before, count }: { before: CheckedRows | undefined; count: number },
): void {
  const fail = (detail: string): never => {
    throw new PublicationError('rows', detail, { path });
  };
  const misplaced = firstOutOfOrder(table, rows, before);
  if (misplaced >= 0) fail(`row ${count + misplaced} does not come after the one before it`);
  const { from, to } = daysOf(path);
  const days = rows.replaced_at?.map(dayOf) ?? rows.date;
  if (!days.every((day) => day >= from && day <= to)) fail('has rows of another year');
  if (table === 'blended' && rows.base.some((base) => base !== PIVOT)) fail('has rows of another base');
  const key = path.split('/').at(-2);
  if (table === 'observations' && rows.provider?.some((provider) => provider !== key))
    fail('has rows of another source');
}

/** Day numbers by its name: `2026.<h>.parquet`, or `to-2025.<h>.parquet`. */
function daysOf(path: string): { from: number; to: number } {
  const [, to, year] = /(to-)?(\d{4})\.\w+\.parquet$/.exec(path) ?? [];
  const days = daysOfYear(Number(year));
  return to ? { ...days, from: Number.NEGATIVE_INFINITY } : days;
}

export function checkBlended(columns: Columns, { digest, files }: Manifest): void {
  checkDigest(blendedPeriods(columns), digest);
  const rows = files.reduce((sum, file) => sum + (file.table === 'blended' ? file.rows : 0), 0);
  if (rows !== digest.day.rows) throw new PublicationError('rows', 'some blended rates occur twice');
}

export async function readBlended(files: PublicationFiles, manifest: Manifest): Promise<Columns> {
  const blended: NamedSeries[] = [];
  for (const file of manifest.files.filter(isTable))
    if (file.table === 'blended') await checkTable(files, file, blended);
  const columns = columnsOf(blended);
  checkBlended(columns, manifest);
  return columns;
}

/** Throws a PublicationError `digest` if the rates differ from those that were signed. */
export function checkDigest(periods: BlendedPeriods, signed: Manifest['digest']): void {
  const found = digestOf(periods);
  for (const period of ['day', 'week', 'month'] as const) {
    if (found[period].rows !== signed[period].rows || found[period].sha256 !== signed[period].sha256)
      throw new PublicationError('digest', `the rates of each ${period} are not those that were signed`);
  }
}

type ColumnOf<Name extends TableName> = keyof TableRows<Name> & string;

/** One row group at a time, as large arrays fill slowly. Throws a PublicationError `rows` for an unexpected file. */
export async function* readRowGroups<Name extends TableName, Column extends ColumnOf<Name> = ColumnOf<Name>>(
  name: Name,
  bytes: Buffer,
  { path, most, columns }: { path: string; most: number; columns?: readonly Column[] | undefined },
): AsyncGenerator<Pick<TableRows<Name>, Column>> {
  try {
    const metadata = parquetMetadata(bytes);
    const present = new Set(metadata.schema.map((column) => column.name));
    if (typesIn(metadata.schema) !== typesIn(schemaOf(name, present))) throw new RangeError('other columns');
    const kinds = Object.entries(COLUMNS[name]).filter(
      ([column]) => present.has(column) && (columns?.includes(column as Column) ?? true),
    );
    const scan = await parquetScan({
      file: new Uint8Array(bytes).buffer,
      metadata: withoutConversions(metadata),
      useOffsetIndex: false,
    });
    for (const range of scan.ranges) {
      if (range.rowEnd > most) throw new RangeError(`${range.rowEnd} rows`);
      yield (await readRange(scan, range, kinds)) as Pick<TableRows<Name>, Column>;
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

async function readRange(scan: ParquetScan, range: ParquetRowRange, kinds: readonly [string, Kind][]) {
  const columns = kinds.map(async ([column, kind]) => {
    const values = await scan.readColumn({ column, ...range });
    if (values.length !== range.rowEnd - range.rowStart)
      throw new RangeError(`${values.length} rows of ${column}`);
    return [column, columnOf(kind, values)] as const;
  });
  return Object.fromEntries(await Promise.all(columns));
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
