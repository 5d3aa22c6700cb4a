import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { digestOf, sealed } from '../../../../core/domain/receipt/digest.js';

it('is the SHA-256 of the canonical JSON without the hash itself', () => {
  const content = { rate: 1.5, for: 'EUR' };
  const sha256 = createHash('sha256').update('{"for":"EUR","rate":1.5}').digest('hex');
  expect(digestOf({ sha256: undefined, ...content })).toBe(sha256);
  expect(digestOf({ sha256: 'another', ...content })).toBe(sha256);
  expect(sealed(content)).toEqual({ rate: 1.5, for: 'EUR', sha256 });
});

it('does not depend on the order of members, and does on that of lists', () => {
  const one = { b: 1, a: { d: [2, 3], c: 3 } };
  const sorted = { a: { c: 3, d: [2, 3] }, b: 1 };
  const other = { b: 1, a: { d: [3, 2], c: 3 } };
  expect(sealed(sorted).sha256).toBe(sealed(one).sha256);
  expect(sealed(other).sha256).not.toBe(sealed(one).sha256);
});
