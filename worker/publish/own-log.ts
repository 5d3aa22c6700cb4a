import type { Database } from '../../core/database/database.js';
import { readSignedLog, type SignedLog, writeSignedLog } from '../../core/database/publications.js';
import { groupBy } from '../../core/domain/group-by.js';
import { canonicalBytes } from '../../core/publication/canonical-json.js';
import { type Checkpoint, checkpointText, signNote } from '../../core/publication/checkpoint.js';
import type { VerifierKey } from '../../core/publication/keys.js';
import {
  type LogRecord,
  linesText,
  logPath,
  parseRecord,
  readLines,
  readLog,
  readWithRecord,
  recordHash,
} from '../../core/publication/log.js';
import { HASHED_FOLDERS } from '../../core/publication/manifest.js';
import {
  CHECKPOINT,
  manifestPath,
  NEXT_CHECKPOINT,
  readCheckpoint,
} from '../../core/publication/open-publication.js';
import { ifMissing, ifRefused } from '../../core/publication/publication-error.js';
import { openPublicationFiles, type PublicationFiles } from '../../core/publication/publication-files.js';
import type { Folder } from './folder.js';
import { isOlderRecord, readOlderLog } from './older-log.js';
import { pruneSuperseded } from './prune-superseded.js';
import type { PublishOptions } from './settings.js';

/** The message says what to do. */
export class PublishError extends Error {
  override readonly name = 'PublishError';
}

export interface Publisher extends Omit<PublishOptions, 'folder'> {
  database: Database;
  folder: Folder;
  files: PublicationFiles;
  origin: string;
  verifiers: readonly VerifierKey[];
}

export interface OwnLog {
  size: number;
  /** What the next record names as `previous`; null if the log is empty. */
  hash: string | null;
  /** Undefined while the log is empty. */
  record: LogRecord | undefined;
}

interface FoundLog extends OwnLog {
  /** What was signed; of the older log if this one only replaces it. Undefined without either. */
  checkpoint?: Checkpoint;
}

/** Finishes what a killed publisher left. Throws a PublishError if the log does not continue the last signed one. */
export async function openOwnLog(publisher: Publisher): Promise<OwnLog> {
  const { database, folder, files, origin } = publisher;
  const signed = await readSignedLog(database, origin);
  const next = await readSigned(files, NEXT_CHECKPOINT, publisher).catch(ifRefused);
  const log = next ?? (await findLog(files, publisher));
  const ahead = signed && (await signedAfter(log, signed, publisher));
  if (signed && !ahead && !(await continues(files, log, signed, publisher.now))) {
    throw new PublishError(
      `${folder.path} does not have the ${signed.size} records that were signed as ${origin}: publish into the folder ` +
        'that has them, or give --resume with the URL or the folder of a copy',
    );
  }
  const unfinished = ahead ?? next?.record;
  if (unfinished) await complete(publisher, unfinished);
  await folder.discard();
  return unfinished ? endingWith(unfinished) : log;
}

/** Copies the log of a publication of this origin into the folder. Throws a PublicationError or a PublishError. */
export async function resumeLog(publisher: Publisher, location: string): Promise<OwnLog> {
  const { database, folder, origin, now } = publisher;
  const source = openPublicationFiles(location);
  try {
    const log = await findLog(source, publisher);
    if (!log.checkpoint) throw new PublishError(`${location} has no ${CHECKPOINT}`);
    const signed = await readSignedLog(database, origin);
    if (signed && !(await continues(source, log, signed, now))) {
      throw new PublishError(
        `${location} does not have the ${signed.size} records that were signed as ${origin}`,
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
async function complete({ folder, files, origin, keys, now }: Publisher, record: LogRecord): Promise<void> {
  const checkpoint = { origin, size: record.index + 1, hash: recordHash(record) };
  await folder.put(NEXT_CHECKPOINT, Buffer.from(signNote(checkpointText(checkpoint), keys)));
  await folder.settle();
  await folder.put(logPath(record), await readWithRecord(files, record));
  await folder.settle();
  // The files moved last refer to the files moved before them.
  for (const under of [...HASHED_FOLDERS, '']) await folder.promote(under);
  await folder.settle();
  if (record.index === 0) await pruneSuperseded(folder, files, now);
  await folder.rename(NEXT_CHECKPOINT, CHECKPOINT);
  await folder.settle();
}

/** The signed record, if the folder has its files and the record before it, but not yet its checkpoint. */
async function signedAfter(
  log: OwnLog,
  signed: SignedLog,
  { folder, files, now }: Publisher,
): Promise<LogRecord | undefined> {
  if (isOlderRecord(signed.record)) return undefined;
  const record = parseRecord(signed.record);
  const { index, manifest, previous } = record;
  if (index < log.size || !(await folder.has(manifestPath(manifest)))) return undefined;
  if (index === 0) return previous === log.hash ? record : undefined;
  const lines = await readLines(files, index - 1, now).catch(ifMissing);
  return lines?.some(({ hash }) => hash === previous) ? record : undefined;
}

/** Whether a log has everything that was signed. */
async function continues(
  files: PublicationFiles,
  log: FoundLog,
  { size, root, record }: SignedLog,
  now: Date,
): Promise<boolean> {
  const { checkpoint } = log;
  const state = root.toString('hex');
  if (!checkpoint || log.hash === state) return log.hash === state;
  const isOlder = isOlderRecord(record);
  if (log.size === 0) return isOlder && checkpoint.size > size;
  // A restored database may have a state of the log that this one replaced.
  const from = isOlder ? 0 : Math.min(size, checkpoint.size) - 1;
  const { lines } = await readLog(files, checkpoint, { from, now });
  return isOlder ? lines[0]?.record.previous !== null : lines.some(({ hash }) => hash === state);
}

/** The log in a folder or at a URL: empty if there is none, or only one of an earlier version. */
async function findLog(files: PublicationFiles, publisher: Publisher): Promise<FoundLog> {
  const older = await readOlderLog(files, publisher.verifiers);
  if (older) return { size: 0, hash: older.hash, record: undefined, checkpoint: older };
  return (await readSigned(files, CHECKPOINT, publisher)) ?? { size: 0, hash: null, record: undefined };
}

/** Undefined if there is none. Throws a PublicationError if none of the keys signed it. */
async function readSigned(
  files: PublicationFiles,
  path: string,
  { verifiers, now }: Publisher,
): Promise<FoundLog | undefined> {
  const checkpoint = await readCheckpoint(files, path, verifiers);
  if (!checkpoint) return undefined;
  const { record } = await readLog(files, checkpoint, { from: checkpoint.size - 1, now });
  return { ...endingWith(record), checkpoint };
}

function endingWith(record: LogRecord): OwnLog {
  return { size: record.index + 1, hash: recordHash(record), record };
}
