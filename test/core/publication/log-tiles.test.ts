import { Readable } from 'node:stream';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import * as tiling from '../../../core/publication/log-tiles.js';
import { inclusionProof, leafHash, rootOfInclusion } from '../../../core/publication/merkle-tree.js';
import { type MemoryFiles, memoryFiles } from '../../support/memory-files.js';
import { propertyRuns } from '../../support/property-runs.js';

const SIZE = 700;
const RECORDS = Array.from({ length: SIZE }, (_, index) => Buffer.from(`record ${index}`));

/** A log as it grew, and its root at each size. */
const log = memoryFiles();
const roots: Buffer[] = [Buffer.alloc(0)];
for (const [size, record] of RECORDS.entries()) {
  const { root, written } = await tiling.appendRecord(log, size, record);
  for (const [path, bytes] of written) {
    expect(log.files.has(path)).toBe(false);
    log.files.set(path, bytes);
  }
  roots.push(root);
}
const stateAt = (size: number) => ({ size, root: roots[size] ?? Buffer.alloc(0) });

it.each([
  [{ level: 0, index: 0, width: 256 }, 'tile/0/000'],
  [{ level: 0, index: 999, width: 256 }, 'tile/0/999'],
  [{ level: 1, index: 1_000, width: 3 }, 'tile/1/x001/000.p/3'],
  [{ level: 'entries', index: 1_234_067, width: 255 }, 'tile/entries/x001/x234/067.p/255'],
] as const)('a tile %j is at %s', (tile, path) => expect(tiling.tilePath(tile)).toBe(path));

it.each([
  [0, []],
  [256, ['tile/1/000.p/1']],
  [70_000, ['tile/entries/273.p/112', 'tile/0/273.p/112', 'tile/1/001.p/17', 'tile/2/000.p/1']],
])('the partial tiles of %i records are %j', (size, tiles) => {
  expect(tiling.partialTiles(size)).toEqual(tiles);
});

it('the tiles give the root, the records and their proofs, at any size', () =>
  fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: SIZE }), fc.nat(), async (size, at) => {
      await tiling.verifyLog(log, stateAt(size));
      const index = at % size;
      const records = Readable.from(tiling.readRecords(log, index, size));
      expect(await records.toArray()).toEqual(RECORDS.slice(index, size));
      const proof = await inclusionProof(index, size, tiling.hashesOf(log, size));
      const leaf = leafHash(RECORDS[index] ?? Buffer.alloc(0));
      expect(rootOfInclusion(leaf, { index, size, proof })).toEqual(stateAt(size).root);
    }),
    {
      ...propertyRuns(200),
      examples: [SIZE, 256, 257, 1].map((size): [number, number] => [size, size - 1]),
    },
  ));

it('needs a full tile alone where the partial ones are gone', async () => {
  const full = [...log.files].filter(([path]) => !/(entries|0)\/00[01]\.p/.test(path));
  for (const size of [300, SIZE]) await tiling.verifyLog(memoryFiles(new Map(full)), stateAt(size));
});

const USED = [...log.files.keys()].filter((path) => !path.includes('.p/')).concat(tiling.partialTiles(SIZE));
const REPLACED = fc.constantFrom(...[...log.files.keys()].filter((path) => !USED.includes(path)));
const change = fc.constantFrom('flip', 'cut', 'append');
const changeOrRemove = fc.oneof(change, fc.constant('remove'));

/** The log with a file changed. */
function withChange(path: string, change: string, at: number): MemoryFiles {
  const files = new Map(log.files);
  const bytes = Buffer.from(files.get(path) ?? '');
  const place = at % bytes.length;
  if (change === 'cut') files.set(path, bytes.subarray(0, place));
  if (change === 'append') files.set(path, Buffer.concat([bytes, Buffer.of(at % 256)]));
  if (change === 'remove') files.delete(path);
  if (change === 'flip') {
    bytes.writeUInt8(bytes.readUInt8(place) ^ (1 << (at % 8)), place);
    files.set(path, bytes);
  }
  return memoryFiles(files);
}

it('notices any change of any tile by name', () =>
  fc.assert(
    fc.asyncProperty(fc.constantFrom(...USED), changeOrRemove, fc.nat(), async (path, change, at) => {
      const verified = tiling.verifyLog(withChange(path, change, at), stateAt(SIZE));
      const named = { name: 'PublicationError', path: expect.stringMatching(/^tile\//) };
      await expect(verified).rejects.toMatchObject(named);
    }),
    propertyRuns(500),
  ));

it('notices any change of a tile that was replaced by name, and finds nothing wrong with it else', () =>
  fc.assert(
    fc.asyncProperty(REPLACED, change, fc.nat(), async (path, change, at) => {
      const verified = tiling.verifyPartialTile(withChange(path, change, at), path, SIZE);
      await expect(verified).rejects.toMatchObject({ name: 'PublicationError', path });
      // Some records may not be signed yet.
      await tiling.verifyPartialTile(log, path, 1 + (at % SIZE));
    }),
    propertyRuns(500),
  ));
