import { fromBase64, type VerifierKey } from './keys.js';
import { PublicationError } from './publication-error.js';
import { noteText, openNote } from './signed-note.js';

export interface Checkpoint {
  origin: string;
  size: number;
  /** SHA-256 of its last line without the line feed, 64 hex digits. */
  hash: string;
}

const HASH_BYTES = 32;
export const MOST_CHECKPOINT_BYTES = 10_000;

/** The three signed lines of a C2SP tlog-checkpoint. */
export function checkpointText({ origin, size, hash }: Checkpoint): string {
  return `${origin}\n${size}\n${Buffer.from(hash, 'hex').toString('base64')}\n`;
}

/** Throws a PublicationError if the text is not exactly three such lines. */
export function parseCheckpoint(text: string): Checkpoint {
  const [origin = '', size = '', base64 = ''] = text.split('\n');
  const hash = fromBase64(base64);
  const checkpoint = { origin, size: Number(size), hash: hash?.toString('hex') ?? '' };
  const isSize = Number.isSafeInteger(checkpoint.size) && checkpoint.size > 0;
  if (hash?.length !== HASH_BYTES || !isSize || checkpointText(checkpoint) !== text) {
    throw new PublicationError('checkpoint', 'a checkpoint is an origin, a size and a hash, a line each');
  }
  return checkpoint;
}

/** The checkpoint in a signed note, and the known keys of its origin that signed it. Throws a PublicationError. */
export function openCheckpoint(note: string, keys: readonly VerifierKey[]) {
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
