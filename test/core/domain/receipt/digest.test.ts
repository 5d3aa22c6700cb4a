import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { it } from 'vitest';
import { canonicalJson } from '../../../../core/domain/receipt/digest.js';

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
