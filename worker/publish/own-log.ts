import type { Database } from '../../core/database/database.js';
import { readSignedLog, type SignedLog, writeSignedLog } from '../../core/database/publications.js';
import { checkpointText, openCheckpoint } from '../../core/publication/checkpoint.js';
import type { SigningKey } from '../../core/publication/keys.js';
import { type LogRecord, parseRecord, recordBytes } from '../../core/publication/log-record.js';
import { appendRecord, hashesOf, verifyLog } from '../../core/publication/log-tiles.js';
import { HASHED_FOLDERS } from '../../core/publication/manifest.js';
import { inclusionProof, rootOf } from '../../core/publication/merkle-tree.js';
import { manifestPath, NEXT_POINTER, POINTER } from '../../core/publication/open-publication.js';
import { encodePointer, MOST_POINTER_BYTES, parsePointer } from '../../core/publication/pointer.js';
import { ifMissing, PublicationError } from '../../core/publication/publication-error.js';
import { openPublicationFiles, type PublicationFiles } from '../../core/publication/publication-files.js';
import { signNote } from '../../core/publication/signed-note.js';
import type { Folder } from './folder.js';
import { PublishError } from './publish-error.js';

/** Who publishes, and where. */
export interface Publisher {
  database: Database;
  folder: Folder;
  /** The files in the folder. */
  files: PublicationFiles;
  origin: string;
  /** Each of them signs. */
  keys: readonly SigningKey[];
  /** Where the publication is available. */
  url: string | undefined;
}

/** A log with its newest record, which is undefined while it is empty. */
export interface OwnLog {
  size: number;
  root: Buffer;
  record: Buffer | undefined;
}

/**
 * Opens the log in the folder, and first finishes what a killed publisher left. Throws a PublishError if the log does not
 * contain or continue the last signed one.
 */
export async function openOwnLog(publisher: Publisher): Promise<OwnLog> {
  const { database, folder, files, origin } = publisher;
  const signed = await readSignedLog(database, origin);
  const latest = await readLog(files, POINTER, publisher);
  const unfinished =
    (await readLog(files, NEXT_POINTER, publisher)) ?? (await signedAfter(latest, signed, publisher));
  const log = unfinished ??
    latest ?? { size: 0, root: await rootOf(0, hashesOf(files, 0)), record: undefined };
  if (signed && !(await continues(files, log, signed))) {
    throw new PublishError(
      `${folder.path} does not have the ${signed.size} records that were signed as ${origin}: publish into the folder ` +
        'that has them, or give --resume with the URL or the folder of a copy',
    );
  }
  if (unfinished) await completePointer(publisher, unfinished);
  await folder.discard();
  return log;
}

/** Copies the log of a publication of this origin into the folder. Throws a PublicationError or a PublishError. */
export async function resumeLog(publisher: Publisher, location: string): Promise<OwnLog> {
  const { database, folder, origin } = publisher;
  const source = openPublicationFiles(location);
  try {
    const log = await readLog(source, POINTER, publisher);
    if (!log) throw new PublishError(`${location} has no ${POINTER}`);
    const signed = await readSignedLog(database, origin);
    if (signed && !(await continues(source, log, signed))) {
      throw new PublishError(
        `${location} does not have the ${signed.size} records that were signed as ${origin}`,
      );
    }
    await folder.discard();
    await verifyLog(copying(source, folder), log);
    return log;
  } finally {
    await source.close();
  }
}

/**
 * Appends a record to the log, and makes the staged files the newest publication. If this is interrupted at any point, the
 * folder still has a publication that verifies. Once the record is signed, `openOwnLog` finishes the work.
 */
export async function publishRecord(publisher: Publisher, log: OwnLog, record: LogRecord): Promise<OwnLog> {
  const { database, folder, files, origin, keys, url = null } = publisher;
  const bytes = recordBytes(record);
  const { size, root, written } = await appendRecord(files, log.size, bytes);
  await Promise.all([...written].map(([path, tile]) => folder.put(path, tile)));
  await folder.settle();
  const grown = { size, root, record: bytes };
  const verifiers = keys.map(({ verifier }) => verifier.text);
  await writeSignedLog(database, {
    ...grown,
    origin,
    keys: verifiers,
    url,
    signedAt: new Date(record.instant),
  });
  await completePointer(publisher, grown);
  await folder.discard();
  return grown;
}

/** The new state is signed at this point. Each file that changes in place belongs to one of two signed states. */
async function completePointer(
  { folder, files, origin, keys }: Publisher,
  { size, root, record }: OwnLog & { record: Buffer },
): Promise<void> {
  const note = signNote(checkpointText({ origin, size, root }), keys);
  const index = size - 1;
  const proof = await inclusionProof(index, size, hashesOf(files, size));
  await folder.put(NEXT_POINTER, Buffer.from(encodePointer({ record, index, proof, note })));
  await folder.settle();
  // The files moved last refer to the files moved before them.
  for (const under of [...HASHED_FOLDERS, '']) await folder.promote(under);
  await folder.settle();
  await folder.put('checkpoint', Buffer.from(note));
  await folder.settle();
  await folder.rename(NEXT_POINTER, POINTER);
  await folder.settle();
}

/** The signed log, if it is newer than the log in the folder, because a publisher was killed before it wrote a pointer. */
async function signedAfter(
  latest: OwnLog | undefined,
  signed: SignedLog | undefined,
  { folder, files }: Publisher,
): Promise<SignedLog | undefined> {
  if (!signed || signed.size <= (latest?.size ?? 0)) return undefined;
  const { manifest } = parseRecord(signed.record);
  return (await folder.has(manifestPath(manifest))) && (await hasRoot(files, signed.size, signed))
    ? signed
    : undefined;
}

/** Whether the log contains everything that was signed. */
async function continues(files: PublicationFiles, log: OwnLog, signed: SignedLog): Promise<boolean> {
  return log.size >= signed.size && (await hasRoot(files, log.size, signed));
}

/** Whether the tiles of a log with `size` records give the known root at the known size. */
async function hasRoot(
  files: PublicationFiles,
  size: number,
  known: { size: number; root: Buffer },
): Promise<boolean> {
  const root = await rootOf(known.size, hashesOf(files, size)).catch(ifMissing);
  return root?.equals(known.root) ?? false;
}

/**
 * The log that a pointer refers to; undefined if there is no pointer. Throws a PublicationError if none of the keys signed
 * it.
 */
async function readLog(
  files: PublicationFiles,
  path: string,
  { keys, origin }: Pick<Publisher, 'keys' | 'origin'>,
): Promise<(OwnLog & { record: Buffer }) | undefined> {
  const bytes = await files.read(path, { most: MOST_POINTER_BYTES }).catch(ifMissing);
  if (!bytes) return undefined;
  const { note, record } = parsePointer(bytes.toString());
  const verifiers = keys.map(({ verifier }) => verifier);
  const { checkpoint } = openCheckpoint(note, verifiers);
  parseRecord(record);
  if (checkpoint.origin !== origin || !(await hasRoot(files, checkpoint.size, checkpoint))) {
    throw new PublicationError('log', `has not the tiles that were signed as ${origin}`, { path });
  }
  return { size: checkpoint.size, root: checkpoint.root, record };
}

/** The same files, with each one copied into the folder as it is read. */
function copying(source: PublicationFiles, folder: Folder): PublicationFiles {
  return {
    async read(path, limit) {
      const bytes = await source.read(path, limit);
      await folder.put(path, bytes);
      return bytes;
    },
  };
}
