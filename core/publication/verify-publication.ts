import { hash } from 'node:crypto';
import { type Columns, columnsOf, type NamedSeries } from '../columns/columns.js';
import { fromDayNumber } from '../domain/dates.js';
import { groupBy } from '../domain/group-by.js';
import type { ShowProgress } from '../process/progress.js';
import { MOST_CHECKPOINT_BYTES, openCheckpoint, openNote } from './checkpoint.js';
import { dayFile, dayPath, latestFile, publishedDays } from './day-files.js';
import { keysText, parseVerifierKeys, type VerifierKey } from './keys.js';
import { type LogLine, logPath, readLines, signedEnd } from './log.js';
import { type Manifest, type ManifestFile, readExpected } from './manifest.js';
import {
  CHECKPOINT,
  NEXT_CHECKPOINT,
  openPublication,
  type Publication,
  readManifest,
  type Trust,
} from './open-publication.js';
import { about, type Fault, ifMissing, PublicationError } from './publication-error.js';
import type { PublicationFiles } from './publication-files.js';
import { readTableFile } from './read-row-groups.js';
import type { TableName, TableRows } from './tables.js';
import { createStates, type States, verifyListed } from './verify-listed.js';
import { checkBlended, checkTable, isTable } from './verify-tables.js';

export interface VerifyOptions extends Trust {
  /** Verifies only what the manifest refers to: not the days, the copies, the whole log and earlier publications. */
  quick?: boolean;
  stopping?: AbortSignal | undefined;
  onProgress?: ShowProgress | undefined;
}

export const MOST_KEYS_BYTES = 10_000;
const FILES_AT_ONCE = 16;

/** First what was signed, then its files, then all others. Throws a PublicationError for the first fault. */
export async function verifyPublication(
  files: PublicationFiles,
  { quick = false, stopping, onProgress, ...trust }: VerifyOptions,
): Promise<Publication> {
  const publication = await openPublication(files, trust);
  const { manifest } = publication;
  const blended: NamedSeries[] = [];
  const tables = manifest.files.filter(isTable);
  for (const [at, file] of tables.entries()) {
    stopping?.throwIfAborted();
    onProgress?.('tables', at, tables.length);
    await checkTable(files, file, blended);
  }
  const columns = columnsOf(blended);
  checkBlended(columns, manifest);
  const states = createStates(files, publication, columns, trust);
  for (const { path } of manifest.files.filter((file) => !isTable(file)))
    await states.anyOf((state) => readExpected(files, listedIn(state, path)));
  if (quick) return publication;
  await checkDays(files, columns, states, { stopping, onProgress });
  onProgress?.('history', 0, 1);
  await checkCopies(files, states);
  const lines = await verifyLog(files, publication, trust);
  const seen = lines.find((line) => line.hash === trust.remembered?.hash);
  const earlier = seen?.record.manifest ?? manifest.previous;
  if (earlier !== null) await verifyHistory(files, manifest, earlier);
  await verifyListed(files, publication, { states, now: trust.now, stopping });
  return publication;
}

/** Returns all signed records. Throws a PublicationError if they are not a chain, or unsigned ones follow. */
async function verifyLog(
  files: PublicationFiles,
  { checkpoint }: Publication,
  { keys, now }: Trust,
): Promise<readonly LogLine[]> {
  const all = await readLines(files, 0, now);
  const { lines, record } = signedEnd(all, checkpoint);
  const size = Math.max(checkpoint.size, ...(await signedSizes(files, keys)));
  if (all.length > size) {
    const path = logPath(record);
    throw new PublicationError('log', `has ${all.length} records, of which ${size} are signed`, { path });
  }
  return lines;
}

/** The sizes of the log that are signed by now. Throws a PublicationError if a checkpoint is not signed. */
async function signedSizes(files: PublicationFiles, keys: readonly VerifierKey[]): Promise<number[]> {
  const sizes: number[] = [];
  for (const path of [NEXT_CHECKPOINT, CHECKPOINT]) {
    const note = await files.read(path, { most: MOST_CHECKPOINT_BYTES }).catch(ifMissing);
    if (note) sizes.push(about(path, () => openCheckpoint(note.toString(), keys)).checkpoint.size);
  }
  return sizes;
}

function listedIn({ manifest }: Publication, path: string): ManifestFile {
  const file = manifest.files.find((one) => one.path === path);
  if (!file) throw new PublicationError('copy', 'is not listed', { path });
  return file;
}

async function checkDays(
  files: PublicationFiles,
  columns: Columns,
  states: States,
  { stopping, onProgress }: Pick<VerifyOptions, 'stopping' | 'onProgress'>,
): Promise<void> {
  const days = publishedDays(columns);
  const checkDay = (day: number) =>
    states.anyOf(async (state) =>
      expectContent(files, dayPath(day), dayFile(await states.blendedOf(state), day), 'day'),
    );
  for (let start = 0; start < days.length; start += FILES_AT_ONCE) {
    stopping?.throwIfAborted();
    onProgress?.('days', start, days.length);
    await Promise.all(days.slice(start, start + FILES_AT_ONCE).map(checkDay));
  }
}

/** Checks the top-level files that are copies of signed content. */
async function checkCopies(files: PublicationFiles, states: States): Promise<void> {
  await states.anyOf(({ manifestBytes }) => expectContent(files, 'manifest.json', manifestBytes, 'copy'));
  await states.anyOf(async (state) => {
    const content = latestFile(await states.blendedOf(state), state.manifest);
    await expectContent(files, 'latest.json', content, 'copy');
  });
  await states.anyOf((state) => checkKeys(files, state));
}

async function expectContent(
  files: PublicationFiles,
  path: string,
  content: Buffer,
  fault: Fault,
): Promise<void> {
  const expected = { path, bytes: content.length, sha256: hash('sha256', content, 'hex') };
  await readExpected(files, expected, fault);
}

/** Checks that `keys.txt` has all keys that signed, known or unknown, one per line. */
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

/**
 * Each published rate and side of an earlier manifest (by hash) must still exist, or a revision have its old value.
 * Compares nothing if that publication is gone, as after a week, or has a newer data version, as after a
 * restore of the database. Skips sources that are left out. Throws a PublicationError `revision`.
 */
async function verifyHistory(
  files: PublicationFiles,
  { files: listed, data }: Manifest,
  earlier: string,
): Promise<void> {
  // Files that were deleted a week after they were replaced can't be compared.
  const before = (await readManifest(files, earlier).catch(ifMissing))?.manifest;
  if (!before || before.data.version > data.version) return;
  const only = (of: readonly ManifestFile[], others: readonly ManifestFile[], table: TableName) =>
    of.filter((file) => file.table === table && !others.some(({ path }) => path === file.path));
  const replaced = only(before.files, listed, 'observations');
  if (replaced.length === 0) return;
  const revised = await readRevised(files, only(listed, before.files, 'revisions'));
  const replacing = groupBy(only(listed, before.files, 'observations'), folderOf);
  const left = new Set(listed.map(folderOf));
  for (const [folder, ofProvider] of groupBy(replaced, folderOf)) {
    if (!left.has(folder)) continue;
    const now = await readRates(files, replacing.get(folder) ?? []);
    for (const file of ofProvider) {
      const rates = await readRates(files, [file]).catch(ifMissing);
      for (const [key, was] of rates ?? []) {
        if (now.get(key) === was || revised.has(`${folder} ${key} ${was}`)) continue;
        const found = now.has(key) ? `is now ${now.get(key)}` : 'is gone';
        const { path } = file;
        throw new PublicationError('revision', `${key}, ${was} before, ${found}, and no revision says so`, {
          path,
        });
      }
    }
  }
}

async function readRates(
  files: PublicationFiles,
  listed: readonly ManifestFile[],
): Promise<Map<string, number>> {
  const rates = new Map<string, number>();
  for (const file of listed) {
    const columns = ['date', 'base', 'quote', 'rate', 'buy', 'sell'] as const;
    for await (const { rate, buy, sell, ...pairs } of readTableFile(files, 'observations', file, columns))
      eachFigure(pairs, { rate, buy, sell }, (key, value) => rates.set(key, value));
  }
  return rates;
}

async function readRevised(files: PublicationFiles, listed: readonly ManifestFile[]): Promise<Set<string>> {
  const revised = new Set<string>();
  for (const file of listed) {
    const groups = readTableFile(files, 'revisions', file);
    for await (const { provider, was: rate, buy_was: buy, sell_was: sell, ...pairs } of groups)
      eachFigure(pairs, { rate, buy, sell }, (key, value, index) =>
        revised.add(`observations/${provider[index]} ${key} ${value}`),
      );
  }
  return revised;
}

type Pairs = Pick<TableRows<'observations'>, 'date' | 'base' | 'quote'>;
type Figures = Pick<TableRows<'observations'>, 'rate' | 'buy' | 'sell'>;

/** Takes each rate and side by a key such as `2026-03-17 EUR/USD` or `2026-03-17 EUR/USD buy`. */
function eachFigure(
  { date, base, quote }: Pairs,
  figures: Figures,
  take: (key: string, value: number, index: number) => void,
): void {
  for (const [figure, values] of Object.entries(figures) as [keyof Figures, Figures[keyof Figures]][])
    values?.forEach((value, index) => {
      const key = `${fromDayNumber(date[index] ?? 0)} ${base[index]}/${quote[index]}`;
      if (!Number.isNaN(value)) take(figure === 'rate' ? key : `${key} ${figure}`, value, index);
    });
}

/** Such as `observations/ECB`. */
function folderOf({ path }: ManifestFile): string {
  return path.slice(0, path.lastIndexOf('/'));
}
