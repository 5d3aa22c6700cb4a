import { fromBase64, type SigningKey, type VerifierKey } from './keys.js';
import { PublicationError } from './publication-error.js';

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

const SIGNATURE_LINE = /^— (\S+) (\S+)$/;
const ID_BYTES = 4;

/** Signs a text, which must end with a newline, with all keys: a C2SP signed note. */
export function signNote(text: string, keys: readonly SigningKey[]): string {
  const signatures = keys.map(({ origin, id, sign }) => {
    const signature = Buffer.concat([Buffer.from(id, 'hex'), sign(Buffer.from(text))]);
    return `— ${origin} ${signature.toString('base64')}\n`;
  });
  return `${text}\n${signatures.join('')}`;
}

/** Also returns the known signers. Throws a PublicationError if there is none, or a known key's signature is wrong. */
export function openNote(note: string, keys: readonly VerifierKey[]) {
  const text = noteText(note);
  const signers: VerifierKey[] = [];
  for (const line of note.slice(text.length + 1, -1).split('\n')) {
    const [, name, data = ''] = SIGNATURE_LINE.exec(line) ?? [];
    const bytes = fromBase64(data);
    if (name === undefined || !bytes || bytes.length <= ID_BYTES) throw malformed();
    const id = bytes.toString('hex', 0, ID_BYTES);
    const key = keys.find((known) => known.origin === name && known.id === id);
    if (!key) continue;
    if (signers.includes(key)) throw new PublicationError('signature', `${name}+${id} signed the note twice`);
    if (!key.verify(Buffer.from(text), bytes.subarray(ID_BYTES))) {
      throw new PublicationError('signature', `the signature of ${name}+${id} does not match this text`);
    }
    signers.push(key);
  }
  if (signers.length === 0) {
    const known = keys.map(({ origin, id }) => `${origin}+${id}`).join(', ');
    throw new PublicationError('signature', `the note is not signed by ${known || 'a known key'}`);
  }
  return { text, signers };
}

function noteText(note: string): string {
  const end = note.lastIndexOf('\n\n');
  // No control characters except newlines (C2SP signed-note), and no replacement character, a sign of invalid UTF-8.
  if (end < 0 || !note.endsWith('\n') || /[^\P{Cc}\n]|\uFFFD/u.test(note)) throw malformed();
  return note.slice(0, end + 1);
}

function malformed(): PublicationError {
  return new PublicationError('signature', 'this is not a signed note');
}
