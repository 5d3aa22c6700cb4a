import { hash } from 'node:crypto';
import { type Columns, columnsOf, type NamedSeries } from '../../core/columns/columns.js';
import { readDay, readInstant, readShared } from '../../core/database/binary-format.js';
import { copyOut } from '../../core/database/bulk/copy-out.js';
import { observationsOf, revisionsIn } from '../../core/database/bulk/published-tables.js';
import { readBlendedSeries } from '../../core/database/bulk/read-series.js';
import type { Coverage } from '../../core/database/coverage.js';
import {
  changesSince,
  type DataVersion,
  providersChanged,
  yearsOfRevisions,
} from '../../core/database/data-versions.js';
import type { Sql } from '../../core/database/sql.js';
import type { Transaction } from '../../core/database/transactions.js';
import { WINDOW_DAYS } from '../../core/domain/blend/carry-forward.js';
import {
  type CalendarDate,
  type DayWindow,
  dayNumber,
  daysOfYear,
  fromDayNumber,
  unionOf,
} from '../../core/domain/dates.js';
import { hashedPath, type Manifest, type ManifestFile } from '../../core/publication/open-publication.js';
import type { PublicationFiles } from '../../core/publication/publication-files.js';
import { readTableFile } from '../../core/publication/read-tables.js';
import {
  blendedRows,
  COLUMNS,
  columnOf,
  type Kind,
  seriesIn,
  type TableName,
  type TableRows,
} from '../../core/publication/tables.js';
import { writeTable } from '../../core/publication/write-table.js';
import type { Folder } from './folder.js';
import type { Publisher } from './own-log.js';

interface ObservationsPart extends DayWindow {
  provider: string;
  /** The file's path without its hash. */
  name: string;
}

interface Plan {
  kept: readonly ManifestFile[];
  observations: readonly ObservationsPart[];
  /** Years of blended days to read; undefined for all. */
  blended: readonly number[] | undefined;
  revisions: readonly number[];
  /** Days whose published rates may have changed; undefined for all days. */
  days: readonly DayWindow[] | undefined;
}

/** A path without its hash, such as `blended/2026`. */
function nameOf(path: string): string {
  return path.replace(/\.[0-9a-f]{16}\.parquet$/, '');
}

interface Planned {
  newest: DataVersion;
  coverage: Coverage;
  previous: Manifest | undefined;
}

/** What has changed since the previous manifest, or everything if that is unknown. */
export async function planPublication(view: Transaction, planned: Planned): Promise<Plan> {
  const parts = observationsParts(planned);
  const changes = await planChanges(view, planned, parts);
  if (changes) return changes;
  const revisions = await yearsOfRevisions(view, undefined);
  return { kept: [], observations: parts, blended: undefined, revisions, days: undefined };
}

/** A provider has one file for the year of the data version, and one for all earlier years. */
function observationsParts({ newest, coverage }: Planned): ObservationsPart[] {
  const year = new Date(newest.createdAt).getUTCFullYear();
  const turn = daysOfYear(year).from;
  return [...coverage].flatMap(([provider, spans]) => {
    const whole = unionOf(spans.values());
    if (!whole) return [];
    const [from, to] = [dayNumber(whole.from), dayNumber(whole.to)];
    const name = `observations/${provider}/`;
    return [
      { provider, name: `${name}to-${year - 1}`, from, to: Math.min(to, turn - 1) },
      { provider, name: `${name}${year}`, from: Math.max(from, turn), to },
    ].filter((part) => part.from <= part.to);
  });
}

/** Undefined if the database does not continue the previous publication, or its providers changed. */
async function planChanges(
  view: Transaction,
  { previous }: Planned,
  parts: readonly ObservationsPart[],
): Promise<Plan | undefined> {
  if (!previous) return undefined;
  const instant = Date.parse(previous.data.instant);
  const changes = await changesSince(view, { version: previous.data.version, instant });
  if (!changes) return undefined;
  const [changed, blended, days] = [new Set<ObservationsPart>(), new Set<number>(), [] as DayWindow[]];
  for (const change of changes) {
    const [from, to] = [dayNumber(change.from), dayNumber(change.to)];
    const providers = change.provider ? [change.provider] : await providersChanged(view, change, instant);
    for (const part of parts)
      if (part.from <= to && part.to >= from && providers.includes(part.provider)) changed.add(part);
    for (let year = yearOf(change.from); year <= yearOf(change.to); year++) blended.add(year);
    days.push({ from, to: to + WINDOW_DAYS });
  }
  const observations = [...changed];
  const revisions = await yearsOfRevisions(view, instant);
  const again = new Set([
    ...observations.map(({ name }) => name),
    ...[...blended].map((year) => `blended/${year}`),
    ...revisions.map((year) => `revisions/${year}`),
  ]);
  const kept = previous.files.filter(({ path }) => path.endsWith('.parquet') && !again.has(nameOf(path)));
  const names = new Set(parts.map(({ name }) => name));
  const stay = kept.filter(({ table }) => table === 'observations');
  const isWhole =
    stay.length + observations.length === parts.length && stay.every(({ path }) => names.has(nameOf(path)));
  return isWhole ? { kept, observations, blended: [...blended].sort(), revisions, days } : undefined;
}

function yearOf(date: CalendarDate): number {
  return Number(date.slice(0, 4));
}

/** Writes the tables that the plan reads again, with the blended days. Returns the files. Creates none without rows. */
export async function writeTables(
  view: Transaction,
  { folder, omit = [], stopping, onProgress }: Publisher,
  plan: Plan,
  blended: Columns,
): Promise<ManifestFile[]> {
  const years = plan.blended ?? [...new Set(Array.from(blended.days, (day) => yearOf(fromDayNumber(day))))];
  const total = plan.observations.length + plan.revisions.length + years.length;
  const written: ManifestFile[] = [];
  let done = 0;
  async function write<Name extends TableName>(table: Name, name: string, content: TableRows<Name>) {
    stopping?.throwIfAborted();
    onProgress?.('tables', done++, total);
    const rows = content.date.length;
    if (rows > 0) written.push(await stageListed(folder, { table, rows, name }, writeTable(table, content)));
  }
  for (const part of plan.observations)
    await write('observations', part.name, await readRows(view, 'observations', observationsOf(part)));
  for (const year of plan.revisions) {
    const query = revisionsIn({ year, except: omit });
    await write('revisions', `revisions/${year}`, await readRows(view, 'revisions', query));
  }
  for (const year of years) {
    const { from, to } = daysOfYear(year);
    await write('blended', `blended/${year}`, blendedRows(blended, from, to));
  }
  return written;
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

const readDouble = (bytes: Buffer, offset: number) => bytes.readDoubleBE(offset);

/** How the fields of COPY are read for each kind of column. */
const FIELDS: Readonly<Record<Kind, (bytes: Buffer, offset: number) => string | number | null>> = {
  date: readDay,
  instant: readInstant,
  rate: readDouble,
  'optional rate': readDouble,
  text: readShared,
  'optional text': (bytes, offset) => readShared(bytes, offset) || null,
};

/** The rows of a query that has the columns of a table, in the same order. */
async function readRows<Name extends TableName>(
  view: Transaction,
  name: Name,
  query: Sql,
): Promise<TableRows<Name>> {
  const columns = Object.entries<Kind>(COLUMNS[name]).map(([column, kind]) => ({
    ...{ column, kind, read: FIELDS[kind] },
    values: [] as ReturnType<(typeof FIELDS)[Kind]>[],
  }));
  await copyOut(view, query, (bytes, offsets) =>
    columns.forEach(({ read, values }, at) => {
      values.push(read(bytes, offsets[at] ?? 0));
    }),
  );
  return Object.fromEntries(
    columns.map(({ column, kind, values }) => {
      const isAbsent = kind === 'optional rate' && values.every(Number.isNaN);
      return [column, isAbsent ? undefined : columnOf(kind, values)];
    }),
  ) as TableRows<Name>;
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
