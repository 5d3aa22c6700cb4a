import { type Columns, columnsOf, type NamedSeries } from '../columns/columns.js';
import { PIVOT } from '../domain/blend/carry-forward.js';
import { dayOf } from '../domain/clock.js';
import { daysOfYear } from '../domain/periods.js';
import { blendedPeriods, checkDigest } from './blend-digest.js';
import { seriesIn } from './blended-columns.js';
import { dayFile, dayPath, latestFile, publishedDays } from './day-files.js';
import { keysText, parseVerifierKeys } from './keys.js';
import { parseRecord } from './log-record.js';
import { readRecords, verifyLog } from './log-tiles.js';
import type { Manifest, ManifestFile } from './manifest.js';
import { laterPublications, openPublication, type Publication, type Trust } from './open-publication.js';
import { about, PublicationError } from './publication-error.js';
import type { PublicationFiles } from './publication-files.js';
import { expectContent, readExpected } from './read-expected.js';
import { readRowGroups } from './read-row-groups.js';
import { openNote } from './signed-note.js';
import { firstOutOfOrder, type TableName, type TableRows } from './tables.js';
import { verifyHistory } from './verify-history.js';
import { verifyReplaced } from './verify-replaced.js';

export interface VerifyOptions extends Trust {
  /** Only what the manifest names: not the days, the copies, the whole log and what was published before. */
  quick?: boolean;
  stopping?: AbortSignal | undefined;
}

/** The longest `keys.txt` that is read, in bytes. */
export const MOST_KEYS_BYTES = 10_000;
/** How many small files are asked for at a time. */
const FILES_AT_ONCE = 16;

/**
 * Verifies the newest publication: what was signed, then each file that it names, and the rates in it, then every other file.
 * Throws a PublicationError about the first thing that is wrong.
 */
export async function verifyPublication(
  files: PublicationFiles,
  { quick = false, stopping, ...trust }: VerifyOptions,
): Promise<Publication> {
  const publication = await openPublication(files, trust);
  const states = createStates(files, publication, trust);
  const blended: NamedSeries[] = [];
  for (const file of publication.manifest.files) {
    stopping?.throwIfAborted();
    if (isTable(file)) await checkTable(files, file, blended);
    else await checkList(files, file, states);
  }
  const columns = columnsOf(blended);
  await checkBlended(columns, publication.manifest);
  if (quick) return publication;
  states.know(publication, columns);
  await checkDays(files, columns, states, stopping);
  await checkCopies(files, states);
  await verifyLog(files, publication.checkpoint);
  const earlier = await earlierManifest(files, publication, trust.remembered);
  if (earlier !== null) await verifyHistory(files, publication.manifest, earlier);
  await verifyReplaced(files, publication, stopping);
  return publication;
}

/** The hash of the manifest that was the newest at the remembered checkpoint; without one, of the manifest before. */
async function earlierManifest(
  files: PublicationFiles,
  { manifest }: Publication,
  remembered: Trust['remembered'],
): Promise<string | null> {
  if (!remembered) return manifest.previous;
  for await (const record of readRecords(files, remembered.size - 1, remembered.size)) {
    return parseRecord(record).manifest;
  }
  return null;
}

type TableFile = ManifestFile & { table: TableName };

function isTable(file: ManifestFile): file is TableFile {
  return file.table !== 'currencies' && file.table !== 'providers';
}

/** The size, the hash and the rows of a file; blended rates are added to the others. */
async function checkTable(files: PublicationFiles, file: TableFile, blended: NamedSeries[]): Promise<void> {
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

/** Checks the rows of a file, which come a part at a time. */
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

/** The days (day numbers) of which a file may have rows, by its name: `2026.<h>.parquet`, or `to-2025.<h>.parquet`. */
function daysOf(path: string): { from: number; to: number } {
  const [, to, year] = /(to-)?(\d{4})\.\w+\.parquet$/.exec(path) ?? [];
  const days = daysOfYear(Number(year));
  return to ? { ...days, from: Number.NEGATIVE_INFINITY } : days;
}

async function checkBlended(columns: Columns, { digest, files }: Manifest): Promise<void> {
  await checkDigest(blendedPeriods(columns), digest);
  const rows = files.reduce((sum, file) => sum + (file.table === 'blended' ? file.rows : 0), 0);
  if (rows !== digest.day.rows) throw new PublicationError('rows', 'blended rates are there twice');
}

/** The signed states that a file which changes in its place may be of. */
interface States {
  /** Passes if the check passes for one of them. */
  anyOf(check: (publication: Publication) => Promise<unknown>): Promise<void>;
  /** The blended rates of one of them. */
  blendedOf(publication: Publication): Promise<Columns>;
  know(publication: Publication, blended: Columns): void;
}

/** The state that is verified, and those that are signed later while it is: they are asked for where a file is not of the first. */
function createStates(files: PublicationFiles, current: Publication, trust: Trust): States {
  const blended = new Map<string, Promise<Columns>>();
  const later = async () => laterPublications(files, current, trust);
  return {
    async anyOf(check) {
      try {
        await check(current);
      } catch (fault) {
        if (!(fault instanceof PublicationError)) throw fault;
        for (const publication of await later()) {
          if (await passes(check, publication)) return;
        }
        throw fault;
      }
    },
    blendedOf(publication) {
      const { manifest } = publication.record;
      const columns = blended.get(manifest) ?? readBlended(files, publication.manifest);
      blended.set(manifest, columns);
      return columns;
    },
    know({ record }, columns) {
      blended.set(record.manifest, Promise.resolve(columns));
    },
  };
}

async function passes(
  check: (publication: Publication) => Promise<unknown>,
  publication: Publication,
): Promise<boolean> {
  try {
    await check(publication);
    return true;
  } catch (error) {
    if (error instanceof PublicationError) return false;
    throw error;
  }
}

async function readBlended(files: PublicationFiles, manifest: Manifest): Promise<Columns> {
  const blended: NamedSeries[] = [];
  for (const file of manifest.files) {
    if (file.table === 'blended') await checkTable(files, { ...file, table: file.table }, blended);
  }
  const columns = columnsOf(blended);
  await checkBlended(columns, manifest);
  return columns;
}

function checkList(files: PublicationFiles, { path }: ManifestFile, states: States): Promise<void> {
  return states.anyOf(async ({ manifest }) => {
    const file = manifest.files.find((one) => one.path === path);
    if (!file) throw new PublicationError('copy', 'is not listed', { path });
    await readExpected(files, file);
  });
}

async function checkDays(
  files: PublicationFiles,
  columns: Columns,
  states: States,
  stopping: AbortSignal | undefined,
): Promise<void> {
  const { first, last } = publishedDays(columns) ?? { first: 0, last: -1 };
  const checkDay = (day: number) =>
    states.anyOf(async (publication) => {
      const content = dayFile(await states.blendedOf(publication), day);
      await expectContent(files, dayPath(day), content, 'day');
    });
  for (let start = first; start <= last; start += FILES_AT_ONCE) {
    stopping?.throwIfAborted();
    const count = Math.min(FILES_AT_ONCE, last - start + 1);
    const checked = await Promise.allSettled(
      Array.from({ length: count }, (_, index) => checkDay(start + index)),
    );
    const failed = checked.find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
  }
}

/** The files at the top that say again what is signed. */
async function checkCopies(files: PublicationFiles, states: States): Promise<void> {
  const checkCopy = (path: string, content: (publication: Publication) => Buffer | Promise<Buffer>) =>
    states.anyOf(async (publication) => expectContent(files, path, await content(publication), 'copy'));
  await checkCopy('manifest.json', ({ manifestBytes }) => manifestBytes);
  await checkCopy('checkpoint', ({ note }) => Buffer.from(note));
  await checkCopy('latest.json', async (publication) =>
    latestFile(await states.blendedOf(publication), publication.manifest),
  );
  await states.anyOf((publication) => checkKeys(files, publication));
}

/** That `keys.txt` has the keys that signed, a line each: those that are known, and the others too. */
async function checkKeys(files: PublicationFiles, { note, checkpoint, signers }: Publication): Promise<void> {
  const path = 'keys.txt';
  const text = (await files.read(path, { most: MOST_KEYS_BYTES })).toString();
  const signed = about(path, () => openNote(note, parseVerifierKeys(text)).signers);
  const signatures = note.split('\n').filter((line) => line.startsWith(`— ${checkpoint.origin} `));
  const hasKnown = signers.every((signer) => signed.some((key) => key.text === signer.text));
  if (signed.length !== signatures.length || keysText(signed) !== text || !hasKnown) {
    throw new PublicationError('copy', 'does not have the keys that signed', { path });
  }
}
