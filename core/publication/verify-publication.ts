import { hash } from 'node:crypto';
import { type Columns, columnsOf, type NamedSeries } from '../columns/columns.js';
import type { ShowProgress } from '../process/progress.js';
import { MOST_CHECKPOINT_BYTES, openCheckpoint } from './checkpoint.js';
import { dayFile, dayPath, latestFile, publishedDays } from './day-files.js';
import { keysText, parseVerifierKeys, type VerifierKey } from './keys.js';
import { type LogLine, logPath, readLines, signedEnd } from './log.js';
import { type ManifestFile, readExpected } from './manifest.js';
import {
  CHECKPOINT,
  NEXT_CHECKPOINT,
  openPublication,
  type Publication,
  type Trust,
} from './open-publication.js';
import { about, type Fault, ifMissing, PublicationError } from './publication-error.js';
import type { PublicationFiles } from './publication-files.js';
import { openNote } from './signed-note.js';
import { createStates, type States } from './signed-states.js';
import { verifyHistory } from './verify-history.js';
import { verifyListed } from './verify-listed.js';
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
