import { Readable } from 'node:stream';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  appendRecord,
  hashesOf,
  partialTiles,
  readRecords,
  tilePath,
  verifyLog,
  verifyPartialTile,
} from '../../../core/publication/log-tiles.js';
import { inclusionProof, leafHash, rootOfInclusion } from '../../../core/publication/merkle-tree.js';
import { type MemoryFiles, memoryFiles } from '../../support/memory-files.js';
import { propertyRuns } from '../../support/property-runs.js';

const SIZE = 700;
const RECORDS = Array.from({ length: SIZE }, (_, index) => Buffer.from(`record ${index}`));

/** A log as it grew, and its root at each size. */
async function grow(): Promise<{ log: MemoryFiles; roots: Buffer[] }> {
  const log = memoryFiles();
  const roots: Buffer[] = [];
  for (const [size, record] of RECORDS.entries()) {
    const { root, written } = await appendRecord(log, size, record);
    for (const [path, bytes] of written) {
      expect(log.files.has(path)).toBe(false);
      log.files.set(path, bytes);
    }
    roots.push(root);
  }
  return { log, roots };
}

const { log, roots } = await grow();
const rootAt = (size: number) => roots[size - 1] ?? Buffer.alloc(0);

it.each([
  [{ level: 0, index: 0, width: 256 }, 'tile/0/000'],
  [{ level: 0, index: 999, width: 256 }, 'tile/0/999'],
  [{ level: 1, index: 1_000, width: 3 }, 'tile/1/x001/000.p/3'],
  [{ level: 'entries', index: 1_234_067, width: 255 }, 'tile/entries/x001/x234/067.p/255'],
] as const)('a tile %j is at %s', (tile, path) => {
  expect(tilePath(tile)).toBe(path);
});

it('names the partial tiles of a size', () => {
  expect(partialTiles(0)).toEqual([]);
  expect(partialTiles(256)).toEqual(['tile/1/000.p/1']);
  expect(partialTiles(70_000)).toEqual([
    'tile/entries/273.p/112',
    'tile/0/273.p/112',
    'tile/1/001.p/17',
    'tile/2/000.p/1',
  ]);
});

it('appending gives the root and the tiles that the records make, at any size', () =>
  fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: SIZE }), async (size) => {
      await verifyLog(log, { size, root: rootAt(size) });
      expect(await Readable.from(readRecords(log, 0, size)).toArray()).toEqual(RECORDS.slice(0, size));
    }),
    propertyRuns(100),
  ));

it('reads records from any one on', () =>
  fc.assert(
    fc.asyncProperty(fc.nat(SIZE), fc.nat(SIZE), async (one, other) => {
      const [from, size] = [Math.min(one, other), Math.max(one, other)];
      expect(await Readable.from(readRecords(log, from, size)).toArray()).toEqual(RECORDS.slice(from, size));
    }),
    propertyRuns(100),
  ));

it('needs a full tile alone where the partial ones are gone', async () => {
  const full = [...log.files].filter(([path]) => !/(entries|0)\/00[01]\.p/.test(path));
  const kept = memoryFiles(new Map(full));
  await verifyLog(kept, { size: 300, root: rootAt(300) });
  await verifyLog(kept, { size: SIZE, root: rootAt(SIZE) });
});

it('proves records from tiles', () =>
  fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: SIZE }), fc.nat(), async (size, at) => {
      const index = at % size;
      const proof = await inclusionProof(index, size, hashesOf(log, size));
      const leaf = leafHash(RECORDS[index] ?? Buffer.alloc(0));
      expect(rootOfInclusion(leaf, { index, size, proof })).toEqual(rootAt(size));
    }),
    propertyRuns(200),
  ));

const USED = [...log.files.keys()].filter((path) => !path.includes('.p/')).concat(partialTiles(SIZE));

/** The log with a file changed. */
function withChange(path: string, change: 'flip' | 'cut' | 'append' | 'remove', at: number): MemoryFiles {
  const files = new Map(log.files);
  const bytes = Buffer.from(files.get(path) ?? '');
  const place = at % bytes.length;
  if (change === 'flip') files.set(path, flip(bytes, place, at % 8));
  if (change === 'cut') files.set(path, bytes.subarray(0, place));
  if (change === 'append') files.set(path, Buffer.concat([bytes, Buffer.of(at % 256)]));
  if (change === 'remove') files.delete(path);
  return memoryFiles(files);
}

it('tells any change of any tile by name', () =>
  fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...USED),
      fc.constantFrom('flip', 'cut', 'append', 'remove'),
      fc.nat(),
      async (path, change, at) => {
        const verified = verifyLog(withChange(path, change, at), { size: SIZE, root: rootAt(SIZE) });
        await expect(verified).rejects.toMatchObject({
          name: 'PublicationError',
          path: expect.stringMatching(/^tile\//),
        });
      },
    ),
    propertyRuns(500),
  ));

const REPLACED = fc.constantFrom(...[...log.files.keys()].filter((path) => !USED.includes(path)));

it('tells any change of a tile that was replaced by name', () =>
  fc.assert(
    fc.asyncProperty(
      REPLACED,
      fc.constantFrom('flip', 'cut', 'append'),
      fc.nat(),
      async (path, change, at) => {
        const verified = verifyPartialTile(withChange(path, change, at), path, SIZE);
        await expect(verified).rejects.toMatchObject({ name: 'PublicationError', path });
      },
    ),
    propertyRuns(500),
  ));

it('finds nothing wrong with tiles that were replaced, or of records that were not signed yet', () =>
  fc.assert(
    fc.asyncProperty(REPLACED, fc.integer({ min: 1, max: SIZE }), (path, size) =>
      verifyPartialTile(log, path, size),
    ),
    propertyRuns(500),
  ));

function flip(bytes: Buffer, place: number, bit: number): Buffer {
  bytes.writeUInt8(bytes.readUInt8(place) ^ (1 << bit), place);
  return bytes;
}
