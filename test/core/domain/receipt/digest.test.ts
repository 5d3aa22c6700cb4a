import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { canonicalJson, digestOf, sealed } from '../../../../core/domain/receipt/digest.js';

it('writes canonical JSON as RFC 8785 does', () => {
  const name = fc.string({ unit: 'grapheme' }).filter((text) => !/^\d+$/.test(text) && text !== '__proto__');
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      fc.constant(null),
      fc.boolean(),
      fc.string({ unit: 'grapheme' }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.array(tie('value')),
      fc.dictionary(name, tie('value')),
    ),
  }));
  fc.assert(fc.property(value, (any) => canonicalJson(any) === canonicalize(any)));
});

it('is the SHA-256 of the canonical JSON without the hash itself', () => {
  const content = { rate: 1.5, for: 'EUR' };
  const sha256 = createHash('sha256').update('{"for":"EUR","rate":1.5}').digest('hex');
  expect(digestOf({ sha256: undefined, ...content })).toBe(sha256);
  expect(digestOf({ sha256: 'another', ...content })).toBe(sha256);
  expect(sealed(content)).toEqual({ rate: 1.5, for: 'EUR', sha256 });
});

it.each([
  ['members', { b: 1, a: { d: 2, c: 3 } }, '{"a":{"c":3,"d":2},"b":1}'],
  ['members in lists, in the order of the list', [{ b: 1, a: 2 }, [3, 1]], '[{"a":2,"b":1},[3,1]]'],
  ['nothing', null, 'null'],
])('canonical JSON sorts %s', (_, value, text) => {
  expect(canonicalJson(value)).toBe(text);
});
