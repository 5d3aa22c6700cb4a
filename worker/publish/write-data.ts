import { hash } from 'node:crypto';
import { type Columns, columnsOf, type NamedSeries } from '../../core/columns/columns.js';
import { eachObservation, eachRevision } from '../../core/database/bulk/published-tables.js';
import { readBlendedSeries } from '../../core/database/bulk/read-series.js';
import type { Transaction } from '../../core/database/transactions.js';
import { daysOfYear, fromDayNumber } from '../../core/domain/dates.js';
import { hashedPath, type ManifestFile } from '../../core/publication/open-publication.js';
import type { PublicationFiles } from '../../core/publication/publication-files.js';
import { readTableFile } from '../../core/publication/read-row-groups.js';
import { blendedRows, collectRows, seriesIn, type TableRows } from '../../core/publication/tables.js';
import { writeTable } from '../../core/publication/write-table.js';
import type { Folder } from './folder.js';
import type { Publisher } from './own-log.js';
import { type Plan, yearOf } from './plan.js';

/** Writes the tables that the plan reads again, with the blended days. Returns the files. Creates none without rows. */
export async function writeTables(
  view: Transaction,
  { folder, omit = [], stopping, onProgress }: Publisher,
  plan: Plan,
  blended: Columns,
): Promise<ManifestFile[]> {
  const written: ManifestFile[] = [];
  const years = plan.blended ?? [...new Set(Array.from(blended.days, (day) => yearOf(fromDayNumber(day))))];
  const total = plan.observations.length + plan.revisions.length + years.length;
  let done = 0;
  for await (const { table, name, rows } of newTables(view, plan, { columns: blended, years, omit })) {
    stopping?.throwIfAborted();
    onProgress?.('tables', done++, total);
    const count = rows.date.length;
    if (count > 0)
      written.push(await stageListed(folder, { table, rows: count, name }, writeTable(table, rows)));
  }
  return written;
}

/** Each with its file's path without the hash. */
async function* newTables(
  view: Transaction,
  { observations, revisions }: Plan,
  { columns, years, omit }: { columns: Columns; years: readonly number[]; omit: readonly string[] },
) {
  for (const part of observations) {
    const rows = await readRows('observations', (take) => eachObservation(view, part, take));
    yield { table: 'observations', name: part.name, rows } as const;
  }
  for (const year of revisions) {
    const rows = await readRows('revisions', (take) => eachRevision(view, { year, except: omit }, take));
    yield { table: 'revisions', name: `revisions/${year}`, rows } as const;
  }
  for (const year of years) {
    const { from, to } = daysOfYear(year);
    yield { table: 'blended', name: `blended/${year}`, rows: blendedRows(columns, from, to) } as const;
  }
}

/** All blended days: those that the plan reads again from the database, the others from the kept files. */
export async function readBlended(
  view: Transaction,
  files: PublicationFiles,
  { blended, kept }: Plan,
): Promise<Columns> {
  const series: NamedSeries[] = [];
  for (const window of blended ? blended.map(daysOfYear) : [undefined])
    series.push(...(await readBlendedSeries(view, window)));
  for (const file of kept) {
    if (file.table !== 'blended') continue;
    for await (const rows of readTableFile(files, 'blended', file)) series.push(...seriesIn(rows));
  }
  return columnsOf(series);
}

async function readRows<Name extends 'observations' | 'revisions'>(
  name: Name,
  read: (take: ReturnType<typeof collectRows<Name>>['add']) => Promise<void>,
): Promise<TableRows<Name>> {
  const table = collectRows(name);
  await read(table.add);
  return table.rows();
}

/** Stages a file of a manifest, under its hash if it has a name of its own. */
export async function stageListed(
  folder: Folder,
  { table, rows, name }: Pick<ManifestFile, 'table' | 'rows'> & { name?: string },
  bytes: Buffer,
): Promise<ManifestFile> {
  const sha256 = hash('sha256', bytes, 'hex');
  const path = name === undefined ? `${table}.json` : hashedPath(name, sha256);
  await folder.stage(path, bytes);
  return { bytes: bytes.length, path, rows, sha256, table };
}
