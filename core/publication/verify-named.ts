import { openCheckpoint } from './checkpoint.js';
import { dayPath, publishedDays } from './day-files.js';
import type { VerifierKey } from './keys.js';
import { parseRecord } from './log-record.js';
import { readRecords, recordsOfTile, verifyLog } from './log-tiles.js';
import { manifestPath, NEXT_POINTER, POINTER, type Publication, readManifest } from './open-publication.js';
import { MOST_POINTER_BYTES, parsePointer } from './pointer.js';
import { about, ifMissing, PublicationError } from './publication-error.js';
import type { PublicationFiles } from './publication-files.js';
import type { States } from './signed-states.js';

/**
 * The folders in which a publisher prepares files before it moves or deletes them: staged files, and partially written
 * files.
 */
export const [STAGED, PARTIAL] = ['.next', '.partial'] as const;

/** The files at the top level, except lists. */
const AT_THE_TOP = [POINTER, NEXT_POINTER, 'checkpoint', 'manifest.json', 'latest.json', 'keys.txt'];

/**
 * If files can be listed, verifies that something signed refers to each of them: a record of the log, a manifest of a
 * record, or the days of the rates. Tiles may belong to one more record, because they are written before it is signed.
 * Verify the log first. Throws a PublicationError `unnamed` for the first other file.
 */
export async function verifyNamed(
  files: PublicationFiles,
  current: Publication,
  { states, keys }: { states: States; keys: readonly VerifierKey[] },
): Promise<void> {
  if (!files.list) return;
  const listed = await files.list();
  const size = Math.max(current.checkpoint.size, ...(await sizesOf(files, keys)));
  const names = await namesOf(files, current, listed);
  for (const day of await daysOf(current, states)) names.add(day);
  let unnamed = listed.filter((path) => !names.has(path) && !isOfPublisher(path, size));
  if (unnamed.length === 0) return;
  // Files that arrived meanwhile are already signed: manifests come first, then data, then days.
  for (const later of await states.later()) {
    const added = new Set([
      ...(await namesOfLater(files, later, listed).catch(ifNotBelieved)),
      ...(await daysOf(later, states).catch(ifNotBelieved)),
    ]);
    unnamed = unnamed.filter((path) => !added.has(path));
  }
  // They may have been deleted meanwhile.
  const left = new Set(unnamed.length === 0 ? [] : await files.list());
  const path = unnamed.find((one) => left.has(one));
  if (path !== undefined) throw new PublicationError('unnamed', 'nothing that was signed names it', { path });
}

/** The sizes of the signed logs, from the pointers. Throws a PublicationError if one is not signed. */
async function sizesOf(files: PublicationFiles, keys: readonly VerifierKey[]): Promise<number[]> {
  const sizes: number[] = [];
  for (const path of [NEXT_POINTER, POINTER]) {
    const bytes = await files.read(path, { most: MOST_POINTER_BYTES }).catch(ifMissing);
    if (!bytes) continue;
    const { note } = about(path, () => parsePointer(bytes.toString()));
    sizes.push(about(path, () => openCheckpoint(note, keys)).checkpoint.size);
  }
  return sizes;
}

/** Whether a file is a tile of a log of this size, or with one more record, or is being prepared. */
function isOfPublisher(path: string, size: number): boolean {
  const records = recordsOfTile(path);
  if (records !== undefined) return records <= size + 1;
  return [STAGED, PARTIAL].some((folder) => path.startsWith(`${folder}/`));
}

/** The paths that a publication refers to, with those of earlier manifests that still exist, but without its days. */
async function namesOf(
  files: PublicationFiles,
  { manifest, checkpoint }: Publication,
  listed: readonly string[],
): Promise<Set<string>> {
  const names = new Set([...AT_THE_TOP, ...manifest.files.map(({ path }) => path)]);
  const there = new Set(listed);
  for await (const record of readRecords(files, 0, checkpoint.size)) {
    const { manifest: sha256 } = parseRecord(record);
    const path = manifestPath(sha256);
    if (names.has(path) || !there.has(path)) continue;
    names.add(path);
    const earlier = await readManifest(files, sha256).catch(ifMissing);
    for (const file of earlier?.manifest.files ?? []) names.add(file.path);
  }
  return names;
}

/** Like `namesOf`, for a later publication whose log is not yet verified. */
async function namesOfLater(
  files: PublicationFiles,
  later: Publication,
  listed: readonly string[],
): Promise<Set<string>> {
  await verifyLog(files, later.checkpoint);
  return namesOf(files, later, listed);
}

/** The paths of the days of a publication. */
async function daysOf(publication: Publication, states: States): Promise<string[]> {
  const { first, last } = publishedDays(await states.blendedOf(publication)) ?? { first: 0, last: -1 };
  return Array.from({ length: last - first + 1 }, (_, at) => dayPath(first + at));
}

/** For `catch`: a publication with missing files does not count yet. Rethrows other errors. */
function ifNotBelieved(error: unknown): string[] {
  if (error instanceof PublicationError) return [];
  throw error;
}
