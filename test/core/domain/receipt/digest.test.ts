import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { digestOf, sealed } from '../../../../core/domain/receipt/verify.js';

it('is the SHA-256 of the canonical JSON without the hash itself', () => {
  const content = { rate: 1.5, list: [3, 2], for: { b: 'EUR', a: null } };
  const canonical = '{"for":{"a":null,"b":"EUR"},"list":[3,2],"rate":1.5}';
  const sha256 = createHash('sha256').update(canonical).digest('hex');
  for (const stated of [undefined, 'another']) expect(digestOf({ sha256: stated, ...content })).toBe(sha256);
  expect(sealed(content)).toEqual({ ...content, sha256 });
});
