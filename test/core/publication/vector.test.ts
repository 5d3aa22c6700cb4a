import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { checkpointOf, checkpointText, openCheckpoint } from '../../../core/publication/checkpoint.js';
import { parseSigningKey, parseVerifierKey } from '../../../core/publication/keys.js';
import { makeRecord, parseRecord, recordBytes } from '../../../core/publication/log-record.js';
import { appendRecord, hashesOf, readRecords } from '../../../core/publication/log-tiles.js';
import { inclusionProof, leafHash, rootOfInclusion } from '../../../core/publication/merkle-tree.js';
import { encodePointer, parsePointer } from '../../../core/publication/pointer.js';
import { signNote } from '../../../core/publication/signed-note.js';
import { memoryFiles } from '../../support/memory-files.js';
import { FIRST_ROOT, KEY, NOTE, RECORDS, VERIFIER } from './vector.js';

it('writes keys as Go does', () => {
  expect(KEY.verifier.text).toBe(VERIFIER);
  expect(parseVerifierKey(VERIFIER)).toMatchObject({ origin: 'rates.example.org/almanac', id: '4d905bc1' });
  expect(KEY.text).toBe(
    'PRIVATE+KEY+rates.example.org/almanac+4d905bc1+AZ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g',
  );
  expect(parseSigningKey(KEY.text).verifier.text).toBe(VERIFIER);
});

it('reads the key of the checksum database of Go', () => {
  const text = 'sum.golang.org+033de0ae+Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8';
  expect(parseVerifierKey(text)).toMatchObject({ origin: 'sum.golang.org', id: '033de0ae', text });
});

it('writes records as canonical JSON', () => {
  const [, record] = RECORDS;
  expect(record.toString()).toBe(
    '{"expires":"2026-03-19T16:01:00.000Z","instant":"2026-03-17T16:01:00.000Z","manifest":"44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a","version":4712}',
  );
  expect(RECORDS.map(({ length }) => length)).toEqual([168, 168]);
  const { manifest, version } = parseRecord(record);
  expect(recordBytes(makeRecord({ manifest, version, now: new Date('2026-03-17T16:01:00Z') }))).toEqual(
    record,
  );
});

it('makes the tree, its proof and its signed checkpoint to the byte', async () => {
  const { files, ...store } = memoryFiles();
  const roots: string[] = [];
  for (const [size, record] of RECORDS.entries()) {
    const { root, written } = await appendRecord(store, size, record);
    roots.push(root.toString('base64'));
    for (const [path, bytes] of written) files.set(path, bytes);
  }
  expect(roots[0]).toBe(FIRST_ROOT);
  expect([...files.keys()]).toEqual([
    'tile/entries/000.p/1',
    'tile/0/000.p/1',
    'tile/entries/000.p/2',
    'tile/0/000.p/2',
  ]);
  const root = Buffer.from(roots[1] ?? '', 'base64');
  const checkpoint = { origin: KEY.origin, size: 2, root };
  const note = signNote(checkpointText(checkpoint), [KEY]);
  expect(note).toBe(NOTE);
  expect(openCheckpoint(NOTE, [parseVerifierKey(VERIFIER)])).toMatchObject({
    checkpoint,
    signers: [{ id: '4d905bc1' }],
  });
  expect(checkpointOf(NOTE)).toEqual(checkpoint);

  const proof = await inclusionProof(1, 2, hashesOf(store, 2));
  const pointer = { record: RECORDS[1], index: 1, proof, note };
  const text = encodePointer(pointer);
  expect(text).toBe(
    `c2sp.org/tlog-proof@v1\nextra ${RECORDS[1].toString('base64')}\nindex 1\n${FIRST_ROOT}\n\n${NOTE}`,
  );
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
  const text = change(RECORDS[1].toString());
  expect(() => parseRecord(Buffer.from(text))).toThrow(/^record: /);
});
