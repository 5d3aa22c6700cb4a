import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  keysText,
  makeSigningKey,
  parseSigningKey,
  parseSigningKeys,
  parseVerifierKey,
  parseVerifierKeys,
} from '../../../core/publication/keys.js';
import { openNote, signNote } from '../../../core/publication/signed-note.js';

const seed = fc.uint8Array({ minLength: 32, maxLength: 32 });
const KEY = makeSigningKey('log.example', Buffer.alloc(32, 1));
const NEW_KEY = makeSigningKey('log.example', Buffer.alloc(32, 2));
const WITNESS = makeSigningKey('witness.example', Buffer.alloc(32, 3));
const TEXT = 'log.example\n7\nroot\n';

it('reads what it writes, keys of any seed and origin', () =>
  fc.assert(
    fc.property(seed, fc.stringMatching(/^[a-z.]{1,9}(\/[\w-]{1,9})?$/), (seed, origin) => {
      const key = makeSigningKey(origin, seed);
      expect(parseSigningKey(key.text).text).toBe(key.text);
      expect(parseVerifierKey(key.verifier.text).text).toBe(key.verifier.text);
      const [reader] = parseVerifierKeys(keysText([key.verifier]));
      expect(reader?.verify(Buffer.from(TEXT), key.sign(Buffer.from(TEXT)))).toBe(true);
    }),
  ));

it('takes no key with any character changed', () =>
  fc.assert(
    fc.property(fc.constantFrom(KEY.text, KEY.verifier.text), fc.nat(), (text, at) => {
      const place = at % text.length;
      const changed = `${text.slice(0, place)}${text[place] === 'x' ? 'y' : 'x'}${text.slice(place + 1)}`;
      expect(() => parseSigningKey(changed)).toThrow(/^key: a private key is/);
      expect(() => parseVerifierKey(changed)).toThrow(/^key: a public key is/);
    }),
  ));

it('never shows a private key', () => {
  expect(() => parseVerifierKey(KEY.text)).toThrow('this is a private key');
  expect(() => parseVerifierKey(KEY.text)).not.toThrow(KEY.text.slice(-20));
});

it('takes several private keys of one origin', () => {
  const ids = parseSigningKeys(`${KEY.text},\n ${NEW_KEY.text}\n`).map(({ id }) => id);
  expect(ids).toEqual([KEY.id, NEW_KEY.id]);
  expect(() => parseSigningKeys(`${KEY.text} ${WITNESS.text}`)).toThrow('must have the same origin');
});

it('believes a note if a known key signed it, and ignores others', () => {
  const note = signNote(TEXT, [KEY, NEW_KEY, WITNESS]);
  for (const known of [KEY, NEW_KEY]) {
    expect(openNote(note, [known.verifier])).toEqual({ text: TEXT, signers: [known.verifier] });
  }
  expect(openNote(note, [NEW_KEY.verifier, KEY.verifier]).signers).toEqual([KEY.verifier, NEW_KEY.verifier]);
  const stranger = makeSigningKey('log.example', Buffer.alloc(32, 4));
  expect(() => openNote(note, [stranger.verifier])).toThrow(`is not signed by log.example+${stranger.id}`);
});

it.each([
  ['twice the same signature', (note: string) => note + note.slice(note.indexOf('—'))],
  ['no signature', () => `${TEXT}\n`],
  ['no empty line', (note: string) => note.replace('\n\n', '\n')],
  ['no line end', (note: string) => note.slice(0, -1)],
  ['a line that is no signature', (note: string) => `${note}hello\n`],
  ['a carriage return', (note: string) => note.replaceAll('\n', '\r\n')],
  ['a signature with spaces after it', (note: string) => note.replace(/\n$/, ' \n')],
])('does not believe a note with %s', (_, change) => {
  expect(() => openNote(change(signNote(TEXT, [KEY])), [KEY.verifier])).toThrow(/^signature: /);
});

it('does not believe a note with any bit changed', () =>
  fc.assert(
    fc.property(fc.nat(), fc.integer({ min: 0, max: 7 }), (at, bit) => {
      const bytes = Buffer.from(signNote(TEXT, [KEY]));
      const place = at % bytes.length;
      bytes.writeUInt8(bytes.readUInt8(place) ^ (1 << bit), place);
      expect(() => openNote(bytes.toString(), [KEY.verifier])).toThrow(/^signature: /);
    }),
  ));
