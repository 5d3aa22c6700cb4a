import { fromBase64, type SigningKey, type VerifierKey } from './keys.js';
import { PublicationError } from './publication-error.js';

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

export function noteText(note: string): string {
  const end = note.lastIndexOf('\n\n');
  // No control characters except newlines (C2SP signed-note), and no replacement character, a sign of invalid UTF-8.
  if (end < 0 || !note.endsWith('\n') || /[^\P{Cc}\n]|\uFFFD/u.test(note)) throw malformed();
  return note.slice(0, end + 1);
}

function malformed(): PublicationError {
  return new PublicationError('signature', 'this is not a signed note');
}
