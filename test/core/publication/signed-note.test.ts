import fc from 'fast-check';
import { expect, it } from 'vitest';
import * as signing from '../../../core/publication/keys.js';
import { openNote, signNote } from '../../../core/publication/log.js';

const keyOf = (seed: number, origin = 'log.example') =>
  signing.makeSigningKey(origin, Buffer.alloc(32, seed));
const [KEY, NEW_KEY, STRANGER, WITNESS] = [keyOf(1), keyOf(2), keyOf(4), keyOf(3, 'witness.example')];
const TEXT = 'log.example\n7\nroot\n';

it('keys of any seed and origin are read as they were written', () =>
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 32, maxLength: 32 }),
      fc.stringMatching(/^[a-z.]{1,9}(\/[\w-]{1,9})?$/),
      (seed, origin) => {
        const key = signing.makeSigningKey(origin, seed);
        expect(signing.parseSigningKey(key.text).text).toBe(key.text);
        expect(signing.parseVerifierKey(key.verifier.text).text).toBe(key.verifier.text);
        const [reader] = signing.parseVerifierKeys(signing.keysText([key.verifier]));
        expect(reader?.verify(Buffer.from(TEXT), key.sign(Buffer.from(TEXT)))).toBe(true);
      },
    ),
  ));

it('no key is taken with any character changed, and a private one is never shown', () => {
  fc.assert(
    fc.property(fc.constantFrom(KEY.text, KEY.verifier.text), fc.nat(), (text, at) => {
      const place = at % text.length;
      const changed = `${text.slice(0, place)}${text[place] === 'x' ? 'y' : 'x'}${text.slice(place + 1)}`;
      expect(() => signing.parseSigningKey(changed)).toThrow(/^key: a private key is/);
      expect(() => signing.parseVerifierKey(changed)).toThrow(/^key: a public key is/);
    }),
  );
  expect(() => signing.parseVerifierKey(KEY.text)).toThrow('this is a private key');
  expect(() => signing.parseVerifierKey(KEY.text)).not.toThrow(KEY.text.slice(-20));
});

it('several private keys are taken of one origin', () => {
  const ids = signing.parseSigningKeys(`${KEY.text},\n ${NEW_KEY.text}\n`).map(({ id }) => id);
  expect(ids).toEqual([KEY.id, NEW_KEY.id]);
  expect(() => signing.parseSigningKeys(`${KEY.text} ${WITNESS.text}`)).toThrow('must have the same origin');
});

it('a note is believed if a known key signed it, and others are ignored', () => {
  const note = signNote(TEXT, [KEY, NEW_KEY, WITNESS]);
  for (const { verifier } of [KEY, NEW_KEY])
    expect(openNote(note, [verifier])).toEqual({ text: TEXT, signers: [verifier] });
  expect(openNote(note, [NEW_KEY.verifier, KEY.verifier]).signers).toEqual([KEY.verifier, NEW_KEY.verifier]);
  const unsigned = `is not signed by log.example+${STRANGER.id}`;
  expect(() => openNote(note, [STRANGER.verifier])).toThrow(unsigned);
  expect(() => openNote(`a${note}`, [KEY.verifier])).toThrow(`+${KEY.id} does not match this text`);
});

it.each([
  ['twice the same signature', (note: string) => note + note.slice(note.indexOf('—'))],
  ['no signature', () => `${TEXT}\n`],
  ['no empty line', (note: string) => note.replace('\n\n', '\n')],
  ['no line end', (note: string) => note.slice(0, -1)],
  ['a line that is no signature', (note: string) => `${note}hello\n`],
  ['a carriage return', (note: string) => note.replaceAll('\n', '\r\n')],
  ['a signature with spaces after it', (note: string) => note.replace(/\n$/, ' \n')],
])('a note is not believed with %s', (_, change) => {
  expect(() => openNote(change(signNote(TEXT, [KEY])), [KEY.verifier])).toThrow(/^signature: /);
});

it('a note is not believed with any bit changed', () =>
  fc.assert(
    fc.property(fc.nat(), fc.nat(7), (at, bit) => {
      const bytes = Buffer.from(signNote(TEXT, [KEY]));
      const place = at % bytes.length;
      bytes.writeUInt8(bytes.readUInt8(place) ^ (1 << bit), place);
      expect(() => openNote(bytes.toString(), [KEY.verifier])).toThrow(/^signature: /);
    }),
  ));
