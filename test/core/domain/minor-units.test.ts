import fc from 'fast-check';
import { expect, it } from 'vitest';
import * as codes from '../../../core/domain/currencies.js';

it.each([
  ['GBX', 'GBP', 'GBp', 'GBp may mean pence: use GBX, or GBP for pounds'],
  ['ILA', 'ILS', 'ILa', 'ILa may mean agorot: use ILA, or ILS for shekels'],
  ['ZAC', 'ZAR', 'ZAc', 'ZAc may mean cents: use ZAC, or ZAR for rand'],
])('%s is a hundredth of %s, which %s leaves open', (code, currency, mistakable, message) => {
  expect(codes.currencyOf(code)).toBe(currency);
  expect(codes.minorUnitsAmong(['USD', code])).toEqual({ [code]: { currency, per_unit: 100 } });
  expect([codes.isPriced(code), codes.isCurrency(code)]).toEqual([true, false]);
  expect([codes.rateBetween('EUR', code, 0.86693), codes.rateBetween(code, 'USD', 1.3308)]).toEqual([
    86.693, 0.013308,
  ]);
  expect(codes.mistakableCode(mistakable)).toBe(message);
});

it('the code of a minor unit is none of the codes of currencies', () => {
  expect(['EUR', 'GBP', 'ZZZ'].map(codes.currencyOf)).toEqual(['EUR', 'GBP', 'ZZZ']);
  expect(codes.minorUnitsAmong(['EUR', 'GBP'])).toBeUndefined();
  expect(['EUR', 'ZZZ', 'gbx'].map(codes.isPriced)).toEqual([true, false, false]);
  expect(['GBP', 'gbp', 'Gbp', 'gbX', 'GBX', 'EUr', ''].filter(codes.mistakableCode)).toEqual([]);
});

it('the point of any rate is moved exactly, and back again', () => {
  const any = fc.constantFrom('GBX', 'ILA', 'ZAC');
  fc.assert(
    fc.property(fc.double({ min: 1e-9, max: 1e9, noNaN: true }), any, any, (rate, code, other) => {
      const twelve = Number(rate.toPrecision(12));
      const hundredfold = codes.rateBetween('USD', code, rate);
      expect(hundredfold.toExponential(11).split('e')[0]).toBe(twelve.toExponential(11).split('e')[0]);
      expect(hundredfold / twelve).toBeCloseTo(100, 9);
      expect(codes.rateBetween(code, 'USD', hundredfold)).toBe(twelve);
      expect(codes.rateBetween(code, other, rate)).toBe(rate);
    }),
  );
});
