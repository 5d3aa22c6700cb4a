import { hash } from 'node:crypto';
import { type Checkpoint, openCheckpoint } from './checkpoint.js';
import type { VerifierKey } from './keys.js';
import { type LogRecord, parseRecord } from './log-record.js';
import { hashesOf } from './log-tiles.js';
import { type Manifest, parseManifest } from './manifest.js';
import { consistencyProof, isConsistent, leafHash, rootOfInclusion } from './merkle-tree.js';
import { MOST_POINTER_BYTES, parsePointer } from './pointer.js';
import { about, PublicationError } from './publication-error.js';
import type { PublicationFiles } from './publication-files.js';

/** The pointer to the newest publication, which is replaced last. */
export const POINTER = 'latest.tlog-proof';
/** The pointer to the publication whose copies are being written; it becomes the newest one. */
export const NEXT_POINTER = 'next.tlog-proof';

/** The longest manifest that is read, in bytes. */
const MOST_MANIFEST_BYTES = 16 * 1_048_576;

/** Where the manifest of this SHA-256 is kept. */
export function manifestPath(sha256: string): string {
  return `manifests/${sha256}.json`;
}

/** The manifest of this SHA-256. Throws a PublicationError where it is not there, or is another one. */
export async function readManifest(
  files: PublicationFiles,
  sha256: string,
): Promise<{ manifest: Manifest; bytes: Buffer }> {
  const path = manifestPath(sha256);
  const bytes = await files.read(path, { most: MOST_MANIFEST_BYTES });
  if (hash('sha256', bytes, 'hex') !== sha256) {
    throw new PublicationError('hash', 'is not the manifest of this name', { path });
  }
  return { manifest: about(path, () => parseManifest(bytes)), bytes };
}

export interface Trust {
  /** The keys that are believed, of which one must have signed. */
  keys: readonly VerifierKey[];
  /** The newest checkpoint that was seen before, which the log must continue. */
  remembered?: Checkpoint | undefined;
  now: Date;
}

/** A publication as it was signed. */
export interface Publication {
  record: LogRecord;
  checkpoint: Checkpoint;
  /** The signed checkpoint, to be kept and compared with. */
  note: string;
  /** The known keys that signed it. */
  signers: readonly VerifierKey[];
  manifest: Manifest;
  manifestBytes: Buffer;
  /** The bytes of the pointer. Equal bytes mean an equal publication. */
  pointer: Buffer;
}

/**
 * Opens the newest publication: its signature, its age, its place in the log, that the log continues the remembered one, and
 * its manifest. Everything else is named by the manifest with its hash. Throws a PublicationError that says what is
 * wrong.
 */
export async function openPublication(
  files: PublicationFiles,
  trust: Trust,
  path = POINTER,
): Promise<Publication> {
  return openPointer(files, await files.read(path, { most: MOST_POINTER_BYTES }), trust, path);
}

/** The same from a pointer that was read already. */
export async function openPointer(
  files: PublicationFiles,
  pointer: Buffer,
  { keys, remembered, now }: Trust,
  path = POINTER,
): Promise<Publication> {
  const signed = about(path, () => openRecord(pointer, keys, now));
  const { record, checkpoint } = signed;
  if (remembered) await checkContinues(files, remembered, checkpoint);
  const { manifest, bytes: manifestBytes } = await readManifest(files, record.manifest);
  if (manifest.origin !== checkpoint.origin || manifest.data.version !== record.version) {
    throw new PublicationError('record', 'is of another origin or version than its record', {
      path: manifestPath(record.manifest),
    });
  }
  return { ...signed, manifest, manifestBytes, pointer };
}

/**
 * The publications that have come after one, as far as their files are there: the one that is being written, and the newest.
 * While a publication is replaced, a file that changes in its place may be that of these. Empty where there is none that is
 * signed and continues the log.
 */
export async function laterPublications(
  files: PublicationFiles,
  { checkpoint }: Publication,
  trust: Trust,
): Promise<Publication[]> {
  const later: Publication[] = [];
  for (const path of [NEXT_POINTER, POINTER]) {
    try {
      const publication = await openPublication(files, { ...trust, remembered: checkpoint }, path);
      if (publication.checkpoint.size > checkpoint.size) later.push(publication);
    } catch (error) {
      // One that cannot be believed counts for nothing: the file must then be that of the first one.
      if (!(error instanceof PublicationError)) throw error;
    }
  }
  return later;
}

/** The record, once its signature, its age and its place at the end of the log are verified. */
function openRecord(
  bytes: Buffer,
  keys: readonly VerifierKey[],
  now: Date,
): Pick<Publication, 'record' | 'checkpoint' | 'note' | 'signers'> {
  const pointer = parsePointer(bytes.toString());
  const { index, proof, note } = pointer;
  const { checkpoint, signers } = openCheckpoint(note, keys);
  const { size, root } = checkpoint;
  const record = parseRecord(pointer.record);
  if (new Date(record.expires) < now) {
    throw new PublicationError('expired', `signed until ${record.expires}, and nothing newer since`);
  }
  // An older record is in the log too.
  if (index !== size - 1)
    throw new PublicationError('proof', `names record ${index} and not the newest of ${size}`);
  if (!rootOfInclusion(leafHash(pointer.record), { index, size, proof })?.equals(root)) {
    throw new PublicationError('proof', 'does not prove that its record is in the signed log');
  }
  return { record, checkpoint, note, signers };
}

/** Throws a PublicationError where a log does not continue the one that was seen before. */
export async function checkContinues(
  files: PublicationFiles,
  before: Checkpoint,
  now: Checkpoint,
): Promise<void> {
  if (before.origin !== now.origin) {
    throw new PublicationError('fork', `the log is ${now.origin}, and was ${before.origin} before`);
  }
  if (now.size < before.size) {
    throw new PublicationError(
      'rolled-back',
      `the log has ${now.size} records, and had ${before.size} before: a rollback`,
    );
  }
  const read = hashesOf(files, now.size);
  const isSameSize = now.size === before.size || before.size === 0;
  const proof = isSameSize ? [] : await consistencyProof(before.size, now.size, read);
  if (!isConsistent(before, now, proof)) {
    throw new PublicationError(
      'fork',
      `the log of ${now.size} records does not begin with the ${before.size} seen before`,
    );
  }
}
