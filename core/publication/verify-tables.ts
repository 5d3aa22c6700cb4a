import { type Columns, columnsOf, type NamedSeries } from '../columns/columns.js';
import { PIVOT } from '../domain/blend/carry-forward.js';
import { dayOf } from '../domain/clock.js';
import { daysOfYear } from '../domain/periods.js';
import { blendedPeriods, checkDigest } from './blend-digest.js';
import { seriesIn } from './blended-columns.js';
import type { Manifest, ManifestFile } from './manifest.js';
import { PublicationError } from './publication-error.js';
import type { PublicationFiles } from './publication-files.js';
import { readExpected } from './read-expected.js';
import { readRowGroups } from './read-row-groups.js';
import { firstOutOfOrder, type TableName, type TableRows } from './tables.js';

/** A file of a manifest that is a table, not a list. */
export type TableFile = ManifestFile & { table: TableName };

export function isTable(file: ManifestFile): file is TableFile {
  return file.table !== 'currencies' && file.table !== 'providers';
}

/** Checks the size, the hash and the rows of a file. Adds blended rates to `blended`. */
export async function checkTable(
  files: PublicationFiles,
  file: TableFile,
  blended: NamedSeries[],
): Promise<void> {
  const bytes = await readExpected(files, file);
  const { path, table, rows: most } = file;
  const check = checkOfRows(file);
  if (table === 'blended') {
    for await (const rows of readRowGroups(table, bytes, { path, most })) {
      check.add(rows);
      blended.push(...seriesIn(rows));
    }
  } else if (table === 'observations') {
    const columns = ['provider', 'date', 'base', 'quote'] as const;
    for await (const rows of readRowGroups(table, bytes, { path, most, columns })) check.add(rows);
  } else for await (const rows of readRowGroups(table, bytes, { path, most })) check.add(rows);
  check.finish();
}

type CheckedRows = Pick<TableRows<'blended'>, 'date' | 'base' | 'quote'> & Partial<TableRows<'revisions'>>;

/** Checks the rows of a file part by part. */
function checkOfRows(file: TableFile): { add(rows: CheckedRows): void; finish(): void } {
  let before: CheckedRows | undefined;
  let count = 0;
  return {
    add(rows) {
      checkRows(file, rows, { before, count });
      before = rows;
      count += rows.date.length;
    },
    finish() {
      const { path, rows } = file;
      if (count !== rows) throw new PublicationError('rows', `has ${count} rows and not ${rows}`, { path });
    },
  };
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
  if (table === 'blended' && !isEach(rows.base, PIVOT)) fail('has rows of another base');
  const provider = path.split('/').at(-2) ?? '';
  if (table === 'observations' && !isEach(rows.provider ?? [], provider)) fail('has rows of another source');
}

function isEach(values: readonly string[], value: string): boolean {
  for (let index = 0; index < values.length; index++) if (values[index] !== value) return false;
  return true;
}

/** The days (day numbers) of a file's rows according to its name: `2026.<h>.parquet`, or `to-2025.<h>.parquet`. */
function daysOf(path: string): { from: number; to: number } {
  const [, to, year] = /(to-)?(\d{4})\.\w+\.parquet$/.exec(path) ?? [];
  const days = daysOfYear(Number(year));
  return to ? { ...days, from: Number.NEGATIVE_INFINITY } : days;
}

/** Checks that the blended rates match the digest of a manifest, without duplicates. */
export function checkBlended(columns: Columns, { digest, files }: Manifest): void {
  checkDigest(blendedPeriods(columns), digest);
  const rows = files.reduce((sum, file) => sum + (file.table === 'blended' ? file.rows : 0), 0);
  if (rows !== digest.day.rows) throw new PublicationError('rows', 'blended rates are there twice');
}

/** The verified blended rates of a manifest. */
export async function readBlended(files: PublicationFiles, manifest: Manifest): Promise<Columns> {
  const blended: NamedSeries[] = [];
  for (const file of manifest.files) {
    if (file.table === 'blended') await checkTable(files, { ...file, table: file.table }, blended);
  }
  const columns = columnsOf(blended);
  checkBlended(columns, manifest);
  return columns;
}
