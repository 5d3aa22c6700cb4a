import { hash } from 'node:crypto';

/** The length of a SHA-256 hash. */
export const HASH_BYTES = 32;

/**
 * Returns the hash of the complete subtree of `2 ** level` leaves with this index in its level. At level 0 it is the hash of
 * a leaf. All roots and proofs are computed from such hashes.
 */
export type ReadHash = (level: number, index: number) => Promise<Buffer>;

/** The hash of an entry (RFC 6962, 2.1). */
export function leafHash(entry: Uint8Array): Buffer {
  return sha256(Buffer.of(0x00), entry);
}

/** The hash of the parent of two subtrees. */
export function nodeHash(left: Uint8Array, right: Uint8Array): Buffer {
  return sha256(Buffer.of(0x01), left, right);
}

/** The hash of the tree with the first `size` leaves (RFC 6962, 2.1). */
export function rootOf(size: number, read: ReadHash): Promise<Buffer> {
  return size === 0 ? Promise.resolve(sha256()) : rangeHash(0, size, read);
}

/** The hashes from the sibling of a leaf up to the root's child (RFC 6962, 2.1.1). */
export async function inclusionProof(index: number, size: number, read: ReadHash): Promise<Buffer[]> {
  const proof: Buffer[] = [];
  let [from, to] = [0, size];
  while (to - from > 1) {
    const middle = from + leftSize(to - from);
    const isLeft = index < middle;
    proof.unshift(await (isLeft ? rangeHash(middle, to, read) : rangeHash(from, middle, read)));
    if (isLeft) to = middle;
    else from = middle;
  }
  return proof;
}

/**
 * The root of the tree for which the proof includes the leaf; undefined if the proof has the wrong length (RFC 9162,
 * 2.1.3.2).
 */
export function rootOfInclusion(
  leaf: Buffer,
  { index, size, proof }: { index: number; size: number; proof: readonly Buffer[] },
): Buffer | undefined {
  if (index >= size) return undefined;
  let [node, last, root] = [index, size - 1, leaf];
  for (const sibling of proof) {
    if (last === 0) return undefined;
    if (isOdd(node) || node === last) {
      root = nodeHash(sibling, root);
      while (!isOdd(node) && node !== 0) [node, last] = [half(node), half(last)];
    } else {
      root = nodeHash(root, sibling);
    }
    [node, last] = [half(node), half(last)];
  }
  return last === 0 ? root : undefined;
}

/** Proves that the tree of the second size begins with the one of the first (RFC 6962, 2.1.2); 0 < first <= second. */
export async function consistencyProof(first: number, second: number, read: ReadHash): Promise<Buffer[]> {
  const proof: Buffer[] = [];
  let [from, to] = [0, second];
  while (first !== to) {
    const middle = from + leftSize(to - from);
    const isLeft = first <= middle;
    proof.unshift(await (isLeft ? rangeHash(middle, to, read) : rangeHash(from, middle, read)));
    if (isLeft) to = middle;
    else from = middle;
  }
  // If the first tree is a whole subtree of the second, the verifier already knows its hash.
  return from === 0 ? proof : [await rangeHash(from, to, read), ...proof];
}

/** Whether the proof shows that the second tree continues the first (RFC 9162, 2.1.4.2). */
export function isConsistent(
  first: { size: number; root: Buffer },
  second: { size: number; root: Buffer },
  proof: readonly Buffer[],
): boolean {
  if (first.size === second.size) return proof.length === 0 && first.root.equals(second.root);
  if (first.size > second.size) return false;
  // Every tree continues the empty one.
  if (first.size === 0) return proof.length === 0 && first.root.equals(sha256());
  let [node, last] = [first.size - 1, second.size - 1];
  while (isOdd(node)) [node, last] = [half(node), half(last)];
  const [start, ...rest] = node === 0 ? [first.root, ...proof] : proof;
  if (!start) return false;
  let [old, root] = [start, start];
  for (const hash of rest) {
    if (last === 0) return false;
    if (isOdd(node) || node === last) {
      [old, root] = [nodeHash(hash, old), nodeHash(hash, root)];
      while (!isOdd(node) && node !== 0) [node, last] = [half(node), half(last)];
    } else {
      root = nodeHash(root, hash);
    }
    [node, last] = [half(node), half(last)];
  }
  return last === 0 && old.equals(first.root) && root.equals(second.root);
}

/** The hash of the leaves from index `from` up to but not including `to`, for which the tree must have a node. */
async function rangeHash(from: number, to: number, read: ReadHash): Promise<Buffer> {
  const size = to - from;
  const left = leftSize(size);
  if (left * 2 === size || size === 1) return read(Math.log2(size), from / size);
  const middle = from + left;
  return nodeHash(await rangeHash(from, middle, read), await rangeHash(middle, to, read));
}

/** The largest power of two below a size of more than one. */
function leftSize(size: number): number {
  let left = 1;
  while (left * 2 < size) left *= 2;
  return left;
}

function sha256(...parts: Uint8Array[]): Buffer {
  return hash('sha256', Buffer.concat(parts), 'buffer');
}

/** Not bitwise, because sizes may exceed 32 bits. */
function half(count: number): number {
  return Math.floor(count / 2);
}

function isOdd(count: number): boolean {
  return count % 2 === 1;
}
