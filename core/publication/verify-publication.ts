import { type Columns, columnsOf, type NamedSeries } from '../columns/columns.js';
import { dayFile, dayPath, latestFile, publishedDays } from './day-files.js';
import { keysText, parseVerifierKeys } from './keys.js';
import { parseRecord } from './log-record.js';
import { readRecords, verifyLog } from './log-tiles.js';
import type { ManifestFile } from './manifest.js';
import { openPublication, type Publication, type Trust } from './open-publication.js';
import { about, PublicationError } from './publication-error.js';
import type { PublicationFiles } from './publication-files.js';
import { expectContent, readExpected } from './read-expected.js';
import { openNote } from './signed-note.js';
import { createStates, type States } from './signed-states.js';
import { verifyHistory } from './verify-history.js';
import { verifyNamed } from './verify-named.js';
import { verifyReplaced } from './verify-replaced.js';
import { checkBlended, checkTable, isTable } from './verify-tables.js';

export interface VerifyOptions extends Trust {
  /** Verifies only what the manifest refers to: not the days, the copies, the whole log and earlier publications. */
  quick?: boolean;
  stopping?: AbortSignal | undefined;
}

/** The maximum size of `keys.txt`, in bytes. */
export const MOST_KEYS_BYTES = 10_000;
/** The number of small files to read at the same time. */
const FILES_AT_ONCE = 16;

/**
 * Verifies the newest publication: what was signed, then each file that it refers to with its rates, then every other file.
 * Throws a PublicationError for the first fault.
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
  checkBlended(columns, publication.manifest);
  if (quick) return publication;
  states.know(publication, columns);
  await checkDays(files, columns, states, stopping);
  await checkCopies(files, states);
  await verifyLog(files, publication.checkpoint);
  const earlier = await earlierManifest(files, publication, trust.remembered);
  if (earlier !== null) await verifyHistory(files, publication.manifest, earlier);
  await verifyNamed(files, publication, { states, keys: trust.keys });
  await verifyReplaced(files, publication, stopping);
  return publication;
}

/**
 * The hash of the manifest that was the newest at the remembered checkpoint. Without a checkpoint, that of the previous
 * manifest.
 */
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

/** Checks the top-level files that are copies of signed content. */
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
