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

/** The pointer to the newest publication. It is replaced last. */
export const POINTER = 'latest.tlog-proof';
/** The pointer to the publication whose copies are being written. It becomes the newest one. */
export const NEXT_POINTER = 'next.tlog-proof';

/** The maximum size of a manifest, in bytes. */
const MOST_MANIFEST_BYTES = 16 * 1_048_576;

/** The path of the manifest with this SHA-256. */
export function manifestPath(sha256: string): string {
  return `manifests/${sha256}.json`;
}

/** Reads the manifest with this SHA-256. Throws a PublicationError if it is missing or has another hash. */
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
  /** The trusted keys. At least one of them must have signed. */
  keys: readonly VerifierKey[];
  /** The newest checkpoint seen so far. The log must continue it. */
  remembered?: Checkpoint | undefined;
  now: Date;
}

/** A publication as it was signed. */
export interface Publication {
  record: LogRecord;
  checkpoint: Checkpoint;
  /** The signed checkpoint, to store for later comparison. */
  note: string;
  /** The known keys that signed it. */
  signers: readonly VerifierKey[];
  manifest: Manifest;
  manifestBytes: Buffer;
  /** The bytes of the pointer. Equal bytes mean an equal publication. */
  pointer: Buffer;
}

/**
 * Opens the newest publication. Verifies its signature, its age, its place in the log, that the log continues the remembered
 * checkpoint, and its manifest. The manifest lists everything else with hashes. Throws a PublicationError with the fault.
 */
export async function openPublication(
  files: PublicationFiles,
  trust: Trust,
  path = POINTER,
): Promise<Publication> {
  return openPointer(files, await files.read(path, { most: MOST_POINTER_BYTES }), trust, path);
}

/** Like `openPublication`, from a pointer that was already read. */
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
 * The publications after this one whose files are available: the one being written, and the newest. While a publication is
 * being replaced, a file that changes in place may belong to one of these. Empty if none of them is signed and continues the
 * log.
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
      // An invalid publication is ignored; then the file must belong to the first one.
      if (!(error instanceof PublicationError)) throw error;
    }
  }
  return later;
}

/** The record, after verifying its signature, its age and that it is the last record of the log. */
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
  // The log also contains older records.
  if (index !== size - 1)
    throw new PublicationError('proof', `names record ${index} and not the newest of ${size}`);
  if (!rootOfInclusion(leafHash(pointer.record), { index, size, proof })?.equals(root)) {
    throw new PublicationError('proof', 'does not prove that its record is in the signed log');
  }
  return { record, checkpoint, note, signers };
}

/** Throws a PublicationError if a log does not continue the remembered checkpoint. */
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
