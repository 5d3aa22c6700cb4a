import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isCurrency } from '../../../core/domain/currencies.js';
import {
  currencyOf,
  isPriced,
  minorUnitsAmong,
  mistakableCode,
  rateBetween,
} from '../../../core/domain/minor-unit-aliases.js';

const CODES = ['GBX', 'ILA', 'ZAC'];

describe('the code of a minor unit', () => {
  it.each([
    ['GBX', 'GBP'],
    ['ILA', 'ILS'],
    ['ZAC', 'ZAR'],
  ])('%s is a hundredth of %s', (code, currency) => {
    expect(currencyOf(code)).toBe(currency);
    expect(minorUnitsAmong(['USD', code])).toEqual({ [code]: { currency, per_unit: 100 } });
    expect([isPriced(code), isCurrency(code)]).toEqual([true, false]);
    expect(rateBetween('EUR', code, 0.86693)).toBe(86.693);
    expect(rateBetween(code, 'USD', 1.3308)).toBe(0.013308);
  });

  it('is none of the codes of currencies', () => {
    expect(['EUR', 'GBP', 'ZZZ'].map(currencyOf)).toEqual(['EUR', 'GBP', 'ZZZ']);
    expect(minorUnitsAmong(['EUR', 'GBP'])).toBeUndefined();
    expect(['EUR', 'ZZZ', 'gbx'].map(isPriced)).toEqual([true, false, false]);
  });

  it('leaves open what is meant where its last letter alone is small', () => {
    expect(mistakableCode('GBp')).toBe('GBp may mean pence: use GBX, or GBP for pounds');
    expect(mistakableCode('ZAc')).toBe('ZAc may mean cents: use ZAC, or ZAR for rand');
    expect(mistakableCode('ILa')).toBe('ILa may mean agorot: use ILA, or ILS for shekels');
    expect(['GBP', 'gbp', 'Gbp', 'gbX', 'GBX', 'EUr', ''].map(mistakableCode)).toEqual(
      Array(7).fill(undefined),
    );
  });
});

const rates = fc.double({ min: 1e-9, max: 1e9, noNaN: true });

it('moves the point of any rate exactly, and back again', () => {
  fc.assert(
    fc.property(rates, fc.constantFrom(...CODES), fc.constantFrom(...CODES), (rate, code, other) => {
      const twelve = Number(rate.toPrecision(12));
      const hundredfold = rateBetween('USD', code, rate);
      expect(hundredfold.toExponential(11).split('e')[0]).toBe(twelve.toExponential(11).split('e')[0]);
      expect(hundredfold / twelve).toBeCloseTo(100, 9);
      expect(rateBetween(code, 'USD', hundredfold)).toBe(twelve);
      expect(rateBetween(code, other, rate)).toBe(rate);
    }),
  );
});
