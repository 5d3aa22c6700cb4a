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

/** Where a publisher prepares files, which it then moves or deletes: those that will change in their place, and unfinished ones. */
export const [STAGED, PARTIAL] = ['.next', '.partial'] as const;

/** The files at the top beside lists. */
const AT_THE_TOP = [POINTER, NEXT_POINTER, 'checkpoint', 'manifest.json', 'latest.json', 'keys.txt'];

/**
 * Verifies, where files can be listed, that each one is named by what was signed: by a record of the log, by a manifest that a
 * record names, or as a day of the rates. Tiles may be those of one record more, which are written before it is signed. The
 * log must have been verified. Throws a PublicationError `unnamed` about the first other file.
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
  // What came meanwhile was signed before: manifests come first, then data, then days.
  for (const later of await states.later()) {
    const added = new Set([
      ...(await namesOfLater(files, later, listed).catch(ifNotBelieved)),
      ...(await daysOf(later, states).catch(ifNotBelieved)),
    ]);
    unnamed = unnamed.filter((path) => !added.has(path));
  }
  // It may have been deleted meanwhile.
  const left = new Set(unnamed.length === 0 ? [] : await files.list());
  const path = unnamed.find((one) => left.has(one));
  if (path !== undefined) throw new PublicationError('unnamed', 'nothing that was signed names it', { path });
}

/** How many records the logs have that were signed, by the pointers. Throws a PublicationError where one is not signed. */
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

/** Whether a file is a tile of a log of this size, or of one record more, or is being prepared. */
function isOfPublisher(path: string, size: number): boolean {
  const records = recordsOfTile(path);
  if (records !== undefined) return records <= size + 1;
  return [STAGED, PARTIAL].some((folder) => path.startsWith(`${folder}/`));
}

/** The paths that a publication names, with those of earlier manifests that are still there, but for its days. */
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

/** The same of a publication that came later, whose log is not verified yet. */
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

/** For `catch`: a publication whose files are not all there names nothing yet. Other errors go on. */
function ifNotBelieved(error: unknown): string[] {
  if (error instanceof PublicationError) return [];
  throw error;
}
