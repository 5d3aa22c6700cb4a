import { type Checkpoint, openCheckpoint } from '../../core/publication/checkpoint.js';
import type { VerifierKey } from '../../core/publication/keys.js';
import { about, ifMissing } from '../../core/publication/publication-error.js';
import type { PublicationFiles } from '../../core/publication/publication-files.js';

/** The pointers of a log as earlier versions wrote it, the newest first: each ends with a signed checkpoint. */
const POINTERS = ['next.tlog-proof', 'latest.tlog-proof'];
const MOST_POINTER_BYTES = 100_000;

/** The files of such a log: pointers, and a Merkle tree in tiles. */
export const OLDER_LOG = [...POINTERS, 'tile'];

/** `hash` is the root of its tree; undefined if there is no such log. Throws a PublicationError if no key signed it. */
export async function readOlderLog(
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
export function isOlderRecord(record: Buffer): boolean {
  return !record.includes('"index":');
}
