import { hash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import * as merkle from '../../../core/publication/merkle-tree.js';

/** As RFC 6962, 2.1 defines it, from the entries. */
function treeHash(entries: readonly Buffer[]): Buffer {
  const [first, ...others] = entries;
  if (!first) return hash('sha256', '', 'buffer');
  if (others.length === 0) return merkle.leafHash(first);
  let left = 1;
  while (left * 2 < entries.length) left *= 2;
  return merkle.nodeHash(treeHash(entries.slice(0, left)), treeHash(entries.slice(left)));
}

const reader =
  (entries: readonly Buffer[]): merkle.ReadHash =>
  async (level, index) =>
    treeHash(entries.slice(index * 2 ** level, (index + 1) * 2 ** level));
const ENTRIES = Array.from({ length: 600 }, (_, index) => Buffer.from(`entry ${index}`));
const read = reader(ENTRIES);

const size = fc.integer({ min: 1, max: ENTRIES.length });
const place = size.chain((size) => fc.tuple(fc.constant(size), fc.nat(size - 1)));
const pair = size.chain((second) => fc.tuple(fc.integer({ min: 1, max: second }), fc.constant(second)));

/** One bit of one of the hashes, where there are any. */
const flip = fc.record({ hash: fc.nat(), bit: fc.nat(255) });

function flipped(hashes: readonly Buffer[], { hash: at, bit }: { hash: number; bit: number }): Buffer[] {
  return hashes.map((bytes, index) => {
    const copy = Buffer.from(bytes);
    if (index === at % hashes.length) copy.writeUInt8(copy.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
    return copy;
  });
}

it('hashes the empty tree, one entry, and the test entries of Certificate Transparency', async () => {
  expect((await merkle.rootOf(0, read)).toString('hex')).toBe(
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  );
  expect(merkle.leafHash(Buffer.alloc(0)).toString('hex')).toBe(
    '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  );
  const inputs = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657'];
  const last = '606162636465666768696a6b6c6d6e6f';
  const entries = [...inputs, last].map((hex) => Buffer.from(hex, 'hex'));
  const root = await merkle.rootOf(8, reader(entries));
  expect(root.toString('hex')).toBe('5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328');
});

it('has the root of RFC 6962 for any size', () =>
  fc.assert(
    fc.asyncProperty(size, async (size) => {
      expect(await merkle.rootOf(size, read)).toEqual(treeHash(ENTRIES.slice(0, size)));
    }),
  ));

it('proves that any entry is in the tree, and nothing else', () =>
  fc.assert(
    fc.asyncProperty(place, flip, fc.nat(ENTRIES.length), async ([size, index], flip, other) => {
      const root = await merkle.rootOf(size, read);
      const proof = await merkle.inclusionProof(index, size, read);
      const leaf = merkle.leafHash(ENTRIES[index] ?? Buffer.alloc(0));
      expect(merkle.rootOfInclusion(leaf, { index, size, proof })).toEqual(root);
      const isProven = (leaf: Buffer, changed: Partial<{ index: number; size: number; proof: Buffer[] }>) =>
        merkle.rootOfInclusion(leaf, { index, size, proof, ...changed })?.equals(root) ?? false;
      expect(isProven(flipped([leaf], flip)[0] ?? leaf, {})).toBe(false);
      if (proof.length > 0) expect(isProven(leaf, { proof: flipped(proof, flip) })).toBe(false);
      if (other !== index) expect(isProven(leaf, { index: other })).toBe(false);
      expect(isProven(leaf, { proof: [...proof, root] })).toBe(false);
      if (proof.length > 0) expect(isProven(leaf, { proof: proof.slice(1) })).toBe(false);
    }),
  ));

it('proves that a tree continues a smaller one, and no other', () =>
  fc.assert(
    fc.asyncProperty(pair, flip, async ([firstSize, secondSize], flip) => {
      const first = { size: firstSize, root: await merkle.rootOf(firstSize, read) };
      const second = { size: secondSize, root: await merkle.rootOf(secondSize, read) };
      const proof = await merkle.consistencyProof(firstSize, secondSize, read);
      expect(merkle.isConsistent(first, second, proof)).toBe(true);
      const changed = ({ size, root }: typeof first) => ({ size, root: flipped([root], flip)[0] ?? root });
      expect(merkle.isConsistent(changed(first), second, proof)).toBe(false);
      expect(merkle.isConsistent(first, changed(second), proof)).toBe(false);
      if (proof.length > 0) expect(merkle.isConsistent(first, second, flipped(proof, flip))).toBe(false);
      if (proof.length > 0) expect(merkle.isConsistent(first, second, proof.slice(1))).toBe(false);
      expect(merkle.isConsistent(first, second, [...proof, first.root])).toBe(false);
      if (firstSize < secondSize) expect(merkle.isConsistent(second, first, proof)).toBe(false);
    }),
  ));
