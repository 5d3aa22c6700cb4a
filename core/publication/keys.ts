import { createPrivateKey, createPublicKey, hash, randomBytes, sign, verify } from 'node:crypto';
import { PublicationError } from './publication-error.js';

export type VerifierKey = ReturnType<typeof verifierKey>;

export type SigningKey = ReturnType<typeof makeSigningKey>;

/** The algorithm byte of Ed25519 in a signed note (C2SP signed-note). */
const ED25519 = 0x01;
const KEY_BYTES = 32;
/** The PKCS #8 prefix of an Ed25519 seed (RFC 8410). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const ORIGIN = /^[^\s+\p{Cc}]+$/u;
const PRIVATE = 'PRIVATE+KEY+';
const KEY_TEXT = /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)$/;

/** From a seed of 32 bytes. Default: random. Throws a PublicationError if the origin is invalid. */
export function makeSigningKey(origin: string, seed: Uint8Array = randomBytes(KEY_BYTES)) {
  if (!ORIGIN.test(origin)) {
    throw new PublicationError(
      'key',
      'an origin is a name without spaces or "+", such as rates.example.org/almanac',
    );
  }
  const key = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' });
  const verifier = verifierKey(origin, Buffer.from(x, 'base64url'));
  return {
    origin,
    id: verifier.id,
    /** `PRIVATE+KEY+origin+id+seed`, as in Go's package. Secret. */
    text: `${PRIVATE}${origin}+${verifier.id}+${encoded(seed)}`,
    /** Ed25519, 64 bytes. */
    sign: (bytes: Uint8Array) => sign(null, bytes, key),
    verifier,
  };
}

/** Throws a PublicationError that does not reveal the key. */
export function parseSigningKey(text: string): SigningKey {
  const key = text.startsWith(PRIVATE) ? keyIn(text.slice(PRIVATE.length), makeSigningKey) : undefined;
  if (!key) {
    throw new PublicationError(
      'key',
      'a private key is PRIVATE+KEY+<origin>+<id>+<seed>, as `keys make` prints it',
    );
  }
  return key;
}

/** Separated by commas or white space. During a key rotation all of them sign. */
export function parseSigningKeys(text: string): SigningKey[] {
  const keys = words(text).map(parseSigningKey);
  const origins = new Set(keys.map(({ origin }) => origin));
  if (origins.size > 1) throw new PublicationError('key', 'all keys that sign must have the same origin');
  return keys;
}

/** Throws a PublicationError. */
export function parseVerifierKey(text: string): VerifierKey {
  const key = keyIn(text, verifierKey);
  if (!key) {
    const shown = text.startsWith('PRIVATE+') ? 'this is a private key' : JSON.stringify(text.slice(0, 200));
    throw new PublicationError('key', `a public key is <origin>+<id>+<key>, and not ${shown}`);
  }
  return key;
}

/** Separated by commas or white space, as in `keys.txt`. */
export function parseVerifierKeys(text: string): VerifierKey[] {
  return words(text).map(parseVerifierKey);
}

export function keysText(keys: readonly Pick<VerifierKey, 'text'>[]): string {
  return keys.map(({ text }) => `${text}\n`).join('');
}

function verifierKey(origin: string, publicKey: Buffer) {
  const named = Buffer.concat([Buffer.from(`${origin}\n`), Buffer.of(ED25519), publicKey]);
  const id = hash('sha256', named, 'hex').slice(0, 8);
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: publicKey.toString('base64url') };
  const key = createPublicKey({ key: jwk, format: 'jwk' });
  return {
    /** The name of the key, and of the log that it signs. */
    origin,
    /** Eight hex digits. */
    id,
    /** `origin+id+key`, as in Go's `golang.org/x/mod/sumdb/note`. */
    text: `${origin}+${id}+${encoded(publicKey)}`,
    verify: (bytes: Uint8Array, signature: Uint8Array) => verify(null, bytes, key, signature),
  };
}

function encoded(key: Uint8Array): string {
  return Buffer.concat([Buffer.of(ED25519), key]).toString('base64');
}

/** Undefined if the text is none, or has the ID of another one. */
function keyIn<Key extends { id: string }>(
  text: string,
  make: (origin: string, key: Buffer) => Key,
): Key | undefined {
  const [, origin = '', id, data = ''] = KEY_TEXT.exec(text) ?? [];
  const bytes = fromBase64(data);
  if (bytes?.length !== 1 + KEY_BYTES || bytes[0] !== ED25519) return undefined;
  const key = make(origin, bytes.subarray(1));
  return key.id === id ? key : undefined;
}

function words(text: string): string[] {
  return text.split(/[\s,]+/).filter((word) => word !== '');
}

/** RFC 4648, section 4. Undefined if the text is not the exact encoding of its bytes. */
export function fromBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  // Node's decoder is lenient: it accepts other alphabets, spaces and missing padding.
  return bytes.toString('base64') === text ? bytes : undefined;
}
