import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plainDecimal } from '../../../core/domain/rounding.js';
import { propertyRuns } from '../../support/property-runs.js';

test.each([
  [2.4215e-7, '0.00000024215'],
  [-1e-7, '-0.0000001'],
  [0.000001, '0.000001'],
  [0, '0'],
  [1e21, '1000000000000000000000'],
  [-1.5e21, '-1500000000000000000000'],
  [1.2345e25, '12345000000000000000000000'],
  [5e-324, `0.${'0'.repeat(323)}5`],
])('%d is written %s', (number, text) => {
  expect(plainDecimal(number)).toBe(text);
});

test('every double is written in plain digits that read back as itself', () => {
  const anyDouble = fc.double({ noNaN: true, noDefaultInfinity: true });
  const rate = fc.double({ min: 1e-20, max: 1e20, noNaN: true });
  const check = (number: number) => {
    const text = plainDecimal(number);
    expect(text).toMatch(/^-?\d+(\.\d+)?$/);
    expect(Number(text)).toBe(number === 0 ? 0 : number);
  };
  fc.assert(fc.property(fc.oneof(rate, anyDouble), check), propertyRuns(20_000));
});
