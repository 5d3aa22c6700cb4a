import type { Database } from '../../core/database/database.js';
import { readSignedLog, type SignedLog, writeSignedLog } from '../../core/database/publications.js';
import { MILLISECONDS_PER_DAY } from '../../core/domain/dates.js';
import { groupBy } from '../../core/domain/group-by.js';
import type { VerifierKey } from '../../core/publication/keys.js';
import {
  type Checkpoint,
  checkpointText,
  type LogRecord,
  linesText,
  logPath,
  openCheckpoint,
  parseRecord,
  readLines,
  readLog,
  readWithRecord,
  recordHash,
  signNote,
} from '../../core/publication/log.js';
import {
  CHECKPOINT,
  HASHED_FOLDERS,
  manifestPath,
  NEXT_CHECKPOINT,
  pathsNamedBy,
  readCheckpoint,
} from '../../core/publication/open-publication.js';
import { about, canonicalBytes, ifMissing, ifRefused } from '../../core/publication/publication-error.js';
import { openPublicationFiles, type PublicationFiles } from '../../core/publication/publication-files.js';
import type { Folder } from './folder.js';
import type { PublishOptions } from './settings.js';

/** The message says what to do. */
export class PublishError extends Error {
  override readonly name = 'PublishError';
}

export interface Publisher extends Omit<PublishOptions, 'folder'> {
  database: Database;
  folder: Folder;
  origin: string;
  verifiers: readonly VerifierKey[];
}

export interface OwnLog {
  /** The last one. Undefined while the log is empty. */
  record?: LogRecord;
  /** Of this record, or of the older log if this one only replaces it. Undefined without either. */
  checkpoint?: Checkpoint;
}

/** What the next record continues: its index, and what it names as `previous`. */
export function endOf({ record, checkpoint }: OwnLog): Pick<LogRecord, 'index' | 'previous'> {
  return { index: record ? record.index + 1 : 0, previous: checkpoint?.hash ?? null };
}

/**
 * The log of the folder, once what a killed publisher left is finished. If the folder does not have it, copies it from
 * `resume`. Throws a PublishError if it does not continue the last signed one, and a PublicationError.
 */
export async function openOwnLog(publisher: Publisher): Promise<OwnLog & { isCopied: boolean }> {
  const { database, folder, origin, resume } = publisher;
  const signed = await readSignedLog(database, origin);
  const next = await readSigned(folder, NEXT_CHECKPOINT, publisher).catch(ifRefused);
  const log = next ?? (await findLog(folder, publisher));
  const ahead = signed && (await signedAfter(log, signed, folder));
  const unfinished = ahead ?? next?.record;
  const isOwn = ahead !== undefined || (await continues(folder, log, signed, publisher.now));
  if (resume !== undefined && !(isOwn && (unfinished || log.record)))
    return { ...(await copyLog(publisher, resume, signed)), isCopied: true };
  if (!isOwn) {
    throw new PublishError(
      `${folder.path} does not have the ${signed?.size} records that were signed as ${origin}: publish into the folder ` +
        'that has them, or give --resume with the URL or the folder of a copy',
    );
  }
  if (unfinished) await complete(publisher, unfinished);
  await folder.discard();
  return { ...(unfinished ? endingWith(unfinished, origin) : log), isCopied: false };
}

/** Copies the log of a publication of this origin into the folder. Throws a PublicationError or a PublishError. */
async function copyLog(
  publisher: Publisher,
  location: string,
  signed: SignedLog | undefined,
): Promise<OwnLog> {
  const { folder, origin, now } = publisher;
  const source = openPublicationFiles(location);
  try {
    const log = await findLog(source, publisher);
    if (!log.checkpoint) throw new PublishError(`${location} has no ${CHECKPOINT}`);
    if (!(await continues(source, log, signed, now))) {
      throw new PublishError(
        `${location} does not have the ${signed?.size} records that were signed as ${origin}`,
      );
    }
    await folder.discard();
    const lines = log.record ? (await readLog(source, log.checkpoint, { from: 0, now })).lines : [];
    for (const [path, ofYear] of groupBy(lines, ({ record }) => logPath(record)))
      await folder.put(path, Buffer.from(linesText(ofYear)));
    return log;
  } finally {
    await source.close();
  }
}

/**
 * Signs a record, appends it to the log, and makes the staged files the newest publication. If this is
 * interrupted at any point, the folder still has a publication that verifies. Once the record is signed,
 * `openOwnLog` finishes the work.
 */
export async function publishRecord(publisher: Publisher, record: LogRecord): Promise<void> {
  const { database, folder, origin, verifiers, url = null } = publisher;
  await folder.settle();
  await writeSignedLog(database, {
    origin,
    size: record.index + 1,
    root: Buffer.from(recordHash(record), 'hex'),
    record: canonicalBytes(record),
    keys: verifiers.map(({ text }) => text),
    url,
    signedAt: new Date(record.instant),
  });
  await complete(publisher, record);
  await folder.discard();
}

/** The new state is signed at this point. Each file that changes in place belongs to one of two signed states. */
async function complete({ folder, origin, keys, now }: Publisher, record: LogRecord): Promise<void> {
  const { checkpoint } = endingWith(record, origin);
  await folder.put(NEXT_CHECKPOINT, Buffer.from(signNote(checkpointText(checkpoint), keys)));
  await folder.settle();
  await folder.put(logPath(record), await readWithRecord(folder, record));
  await folder.settle();
  // The files moved last refer to the files moved before them.
  for (const under of [...HASHED_FOLDERS, '']) await folder.promote(under);
  await folder.settle();
  if (record.index === 0) await pruneSuperseded(folder, now);
  await folder.rename(NEXT_CHECKPOINT, CHECKPOINT);
  await folder.settle();
}

/** The signed record, if the folder has its files and ends with the record before it. */
async function signedAfter(log: OwnLog, signed: SignedLog, folder: Folder): Promise<LogRecord | undefined> {
  if (isOlderRecord(signed.record)) return undefined;
  const record = parseRecord(signed.record);
  const { index, previous } = endOf(log);
  const isNext = record.index === index && record.previous === previous;
  return isNext && (await folder.has(manifestPath(record.manifest))) ? record : undefined;
}

/** Whether a log has everything that was signed. */
async function continues(
  files: PublicationFiles,
  { record, checkpoint }: OwnLog,
  signed: SignedLog | undefined,
  now: Date,
): Promise<boolean> {
  if (!signed) return true;
  const { size, root } = signed;
  const state = root.toString('hex');
  if (!checkpoint || checkpoint.hash === state) return checkpoint !== undefined;
  const isOlder = isOlderRecord(signed.record);
  if (!record) return isOlder && checkpoint.size > size;
  // A restored database may have a state of the log that this one replaced.
  const from = isOlder ? 0 : Math.min(size, checkpoint.size) - 1;
  const { lines } = await readLog(files, checkpoint, { from, now });
  return isOlder ? lines[0]?.record.previous !== null : lines.some(({ hash }) => hash === state);
}

/** The log in a folder or at a URL: empty if there is none, or only one of an earlier version. */
async function findLog(files: PublicationFiles, publisher: Publisher): Promise<OwnLog> {
  const older = await readOlderLog(files, publisher.verifiers);
  return older ? { checkpoint: older } : ((await readSigned(files, CHECKPOINT, publisher)) ?? {});
}

/** Undefined if there is none. Throws a PublicationError if none of the keys signed it. */
async function readSigned(
  files: PublicationFiles,
  path: string,
  { verifiers, now }: Publisher,
): Promise<OwnLog | undefined> {
  const checkpoint = await readCheckpoint(files, path, verifiers);
  return checkpoint && readLog(files, checkpoint, { from: checkpoint.size - 1, now });
}

function endingWith(record: LogRecord, origin: string) {
  return { record, checkpoint: { origin, size: record.index + 1, hash: recordHash(record) } };
}

/** Readers may still use a publication that was the newest this long ago. */
const KEPT_MS = 7 * MILLISECONDS_PER_DAY;

/** Deletes data and manifests that no publication of the last seven days references, and a log of earlier versions. */
export async function pruneSuperseded(folder: Folder, now: Date): Promise<void> {
  const lines = await readLines(folder, 0, now);
  const since = now.getTime() - KEPT_MS;
  const first = lines.findLastIndex(({ record }) => Date.parse(record.instant) <= since);
  const records = lines.slice(Math.max(0, first)).map(({ record }) => record);
  const named = await pathsNamedBy(folder, records);
  const [manifests = [], ...data] = await Promise.all(HASHED_FOLDERS.map((under) => folder.list(under)));
  // Remove data before the manifests that reference them.
  for (const paths of [data.flat(), manifests])
    await Promise.all(paths.filter((path) => !named.has(path)).map((path) => folder.remove(path)));
  for (const path of OLDER_LOG) await folder.remove(path);
}

/** The pointers of a log as earlier versions wrote it, the newest first: each ends with a signed checkpoint. */
const POINTERS = ['next.tlog-proof', 'latest.tlog-proof'];
const MOST_POINTER_BYTES = 100_000;

/** The files of such a log: pointers, and a Merkle tree in tiles. */
const OLDER_LOG = [...POINTERS, 'tile'];

/** `hash` is the root of its tree; undefined if there is no such log. Throws a PublicationError if no key signed it. */
async function readOlderLog(
  files: PublicationFiles,
  keys: readonly VerifierKey[],
): Promise<Checkpoint | undefined> {
  for (const path of POINTERS) {
    const text = (await files.read(path, { most: MOST_POINTER_BYTES }).catch(ifMissing))?.toString();
    if (text === undefined) continue;
    const note = text.slice(text.indexOf('\n\n') + 2);
    return about(path, () => openCheckpoint(note, keys)).checkpoint;
  }
  return undefined;
}

/** Whether a record, as the database has it, is of such a log: only later ones have an index. */
function isOlderRecord(record: Buffer): boolean {
  return !record.includes('"index":');
}
