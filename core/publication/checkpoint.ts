import { fromBase64 } from './base64.js';
import type { VerifierKey } from './keys.js';
import { HASH_BYTES } from './merkle-tree.js';
import { PublicationError } from './publication-error.js';
import { noteText, openNote } from './signed-note.js';

/** The state of a log: its number of records and the root hash of its tree (C2SP tlog-checkpoint). */
export interface Checkpoint {
  origin: string;
  size: number;
  root: Buffer;
}

/** The three lines that are signed. */
export function checkpointText({ origin, size, root }: Checkpoint): string {
  return `${origin}\n${size}\n${root.toString('base64')}\n`;
}

/** Throws a PublicationError if the text is not exactly three such lines. */
export function parseCheckpoint(text: string): Checkpoint {
  const [origin = '', size = '', rootText = ''] = text.split('\n');
  const root = fromBase64(rootText);
  const checkpoint = root?.length === HASH_BYTES && { origin, size: Number(size), root };
  if (!checkpoint || !Number.isSafeInteger(checkpoint.size) || checkpointText(checkpoint) !== text) {
    throw new PublicationError(
      'checkpoint',
      'a checkpoint is an origin, a size and a root hash, a line each',
    );
  }
  return checkpoint;
}

/** The checkpoint in a signed note, and the known keys of its origin that signed it. Throws a PublicationError. */
export function openCheckpoint(
  note: string,
  keys: readonly VerifierKey[],
): { checkpoint: Checkpoint; signers: readonly VerifierKey[] } {
  const { text, signers } = openNote(note, keys);
  const checkpoint = parseCheckpoint(text);
  const own = signers.filter(({ origin }) => origin === checkpoint.origin);
  if (own.length === 0) {
    throw new PublicationError('signature', `no key of ${checkpoint.origin} signed the checkpoint`);
  }
  return { checkpoint, signers: own };
}

/** The checkpoint in a note that was already verified, such as one stored on this machine. */
export function checkpointOf(note: string): Checkpoint {
  return parseCheckpoint(noteText(note));
}
