import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { checkpointOf, checkpointText, openCheckpoint } from '../../../core/publication/checkpoint.js';
import { makeSigningKey, parseSigningKey, parseVerifierKey } from '../../../core/publication/keys.js';
import { makeRecord, parseRecord, recordBytes } from '../../../core/publication/log-record.js';
import { appendRecord, hashesOf, readRecords } from '../../../core/publication/log-tiles.js';
import { inclusionProof, leafHash, rootOfInclusion } from '../../../core/publication/merkle-tree.js';
import { encodePointer, parsePointer } from '../../../core/publication/pointer.js';
import { signNote } from '../../../core/publication/signed-note.js';
import { memoryFiles } from '../../support/memory-files.js';

/** The key of the first test of RFC 8032, 7.1. */
const SEED = '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60';
const KEY = makeSigningKey('rates.example.org/almanac', Buffer.from(SEED, 'hex'));
const VERIFIER = 'rates.example.org/almanac+4d905bc1+AddamAGCsQq31Uv+08lkBzoO4XLz2qYjJa8CGmj3B1Ea';
const MANIFEST = '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a';

/** A record of the manifest `{}`, signed at a minute. */
const record = (version: number, minute: string) => {
  const [expires, instant] = ['19', '17'].map((day) => `2026-03-${day}T16:${minute}:00.000Z`);
  return recordBytes({ expires: expires ?? '', instant: instant ?? '', manifest: MANIFEST, version });
};
const RECORDS = [record(4711, '00'), record(4712, '01')] as const;
const FIRST_ROOT = 'fBJBFveSzgeEtn98cVYrrpsRGNcrGVrdrhz6hYyXfA0=';

/** The signed checkpoint at size 2. */
const NOTE = `rates.example.org/almanac
2
ivEwneEAbDu74+k0uFoZXZmi2Ac/Q0MKA9yfQ03Ngv0=

— rates.example.org/almanac TZBbwSUvzWox1KdOEfnGuqEMg8AB+EOzEL7sfh6wjGCaHeZwVdJ72WM6W/fyQ1XwreD3EbITn89lkmH8hQPu3QnXDAE=
`;

it('writes keys as Go does, and reads that of the checksum database of Go', () => {
  expect(KEY.verifier.text).toBe(VERIFIER);
  expect(parseVerifierKey(VERIFIER)).toMatchObject({ origin: 'rates.example.org/almanac', id: '4d905bc1' });
  expect(KEY.text).toBe(
    'PRIVATE+KEY+rates.example.org/almanac+4d905bc1+AZ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g',
  );
  expect(parseSigningKey(KEY.text).verifier.text).toBe(VERIFIER);
  const text = 'sum.golang.org+033de0ae+Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8';
  expect(parseVerifierKey(text)).toMatchObject({ origin: 'sum.golang.org', id: '033de0ae', text });
});

it('writes records as canonical JSON', () => {
  const [first, second] = RECORDS;
  expect(second.toString()).toBe(
    `{"expires":"2026-03-19T16:01:00.000Z","instant":"2026-03-17T16:01:00.000Z","manifest":"${MANIFEST}","version":4712}`,
  );
  expect([first.length, second.length]).toEqual([168, 168]);
  const { manifest, version } = parseRecord(second);
  const made = makeRecord({ manifest, version, now: new Date('2026-03-17T16:01:00Z') });
  expect(recordBytes(made)).toEqual(second);
});

it('makes the tree, its proof and its signed checkpoint to the byte', async () => {
  const { files, ...store } = memoryFiles();
  const roots: Buffer[] = [];
  for (const [size, one] of RECORDS.entries()) {
    const { root, written } = await appendRecord(store, size, one);
    roots.push(root);
    for (const [path, bytes] of written) files.set(path, bytes);
  }
  const [first, root = Buffer.alloc(0)] = roots;
  expect(first?.toString('base64')).toBe(FIRST_ROOT);
  const tiles = ['tile/entries/000.p/1', 'tile/0/000.p/1', 'tile/entries/000.p/2', 'tile/0/000.p/2'];
  expect([...files.keys()]).toEqual(tiles);
  const checkpoint = { origin: KEY.origin, size: 2, root };
  const note = signNote(checkpointText(checkpoint), [KEY]);
  expect(note).toBe(NOTE);
  const opened = openCheckpoint(NOTE, [parseVerifierKey(VERIFIER)]);
  expect(opened).toMatchObject({ checkpoint, signers: [{ id: '4d905bc1' }] });
  expect(checkpointOf(NOTE)).toEqual(checkpoint);

  const proof = await inclusionProof(1, 2, hashesOf(store, 2));
  const pointer = { record: RECORDS[1], index: 1, proof, note };
  const text = encodePointer(pointer);
  const extra = RECORDS[1].toString('base64');
  expect(text).toBe(`c2sp.org/tlog-proof@v1\nextra ${extra}\nindex 1\n${FIRST_ROOT}\n\n${NOTE}`);
  expect(parsePointer(text)).toEqual(pointer);
  expect(rootOfInclusion(leafHash(RECORDS[1]), { index: 1, size: 2, proof })).toEqual(root);
  expect(await Readable.from(readRecords(store, 0, 2)).toArray()).toEqual(RECORDS);
});

it.each([
  ['another order', (text: string) => text.replace(/^{("expires":"[^"]+"),(.*)}$/, '{$2,$1}')],
  ['a space', (text: string) => text.replace(':', ': ')],
  ['a day that there is not', (text: string) => text.replace('2026-03-19', '2026-02-30')],
  ['an hour that there is not', (text: string) => text.replace('T16', 'T96')],
  ['another offset', (text: string) => text.replace('000Z', '000+00:00')],
  ['one thing more', (text: string) => text.replace('{', '{"a":1,')],
  ['a manifest that is no hash', (text: string) => text.replace('44136', 'x4136')],
  ['a cut', (text: string) => text.slice(0, -1)],
])('reads no record with %s', (_, change) => {
  expect(() => parseRecord(Buffer.from(change(RECORDS[1].toString())))).toThrow(/^record: /);
});
