import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isCurrency } from '../../../core/domain/currencies.js';
import * as aliases from '../../../core/domain/minor-unit-aliases.js';

it.each([
  ['GBX', 'GBP', 'GBp', 'GBp may mean pence: use GBX, or GBP for pounds'],
  ['ILA', 'ILS', 'ILa', 'ILa may mean agorot: use ILA, or ILS for shekels'],
  ['ZAC', 'ZAR', 'ZAc', 'ZAc may mean cents: use ZAC, or ZAR for rand'],
])('%s is a hundredth of %s, which %s leaves open', (code, currency, mistakable, message) => {
  expect(aliases.currencyOf(code)).toBe(currency);
  expect(aliases.minorUnitsAmong(['USD', code])).toEqual({ [code]: { currency, per_unit: 100 } });
  expect([aliases.isPriced(code), isCurrency(code)]).toEqual([true, false]);
  expect([aliases.rateBetween('EUR', code, 0.86693), aliases.rateBetween(code, 'USD', 1.3308)]).toEqual([
    86.693, 0.013308,
  ]);
  expect(aliases.mistakableCode(mistakable)).toBe(message);
});

it('the code of a minor unit is none of the codes of currencies', () => {
  expect(['EUR', 'GBP', 'ZZZ'].map(aliases.currencyOf)).toEqual(['EUR', 'GBP', 'ZZZ']);
  expect(aliases.minorUnitsAmong(['EUR', 'GBP'])).toBeUndefined();
  expect(['EUR', 'ZZZ', 'gbx'].map(aliases.isPriced)).toEqual([true, false, false]);
  expect(['GBP', 'gbp', 'Gbp', 'gbX', 'GBX', 'EUr', ''].filter(aliases.mistakableCode)).toEqual([]);
});

it('the point of any rate is moved exactly, and back again', () => {
  const codes = fc.constantFrom('GBX', 'ILA', 'ZAC');
  fc.assert(
    fc.property(fc.double({ min: 1e-9, max: 1e9, noNaN: true }), codes, codes, (rate, code, other) => {
      const twelve = Number(rate.toPrecision(12));
      const hundredfold = aliases.rateBetween('USD', code, rate);
      expect(hundredfold.toExponential(11).split('e')[0]).toBe(twelve.toExponential(11).split('e')[0]);
      expect(hundredfold / twelve).toBeCloseTo(100, 9);
      expect(aliases.rateBetween(code, 'USD', hundredfold)).toBe(twelve);
      expect(aliases.rateBetween(code, other, rate)).toBe(rate);
    }),
  );
});
