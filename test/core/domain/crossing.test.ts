import fc from 'fast-check';
import { expect, it } from 'vitest';
import { crossingsOf, unitsPer } from '../../../core/domain/crossing.js';

const rates = fc.double({ min: 1e-6, max: 1e6, noNaN: true });

it('a pair gives each of its currencies per unit of the other', () => {
  const pair = { base: 'EUR', quote: 'USD', rate: 1.25 };
  expect([unitsPer(pair, 'USD', 'EUR'), unitsPer(pair, 'EUR', 'USD')]).toEqual([1.25, 0.8]);
  expect(unitsPer(pair, 'JPY', 'EUR')).toBeNaN();
  expect(unitsPer(pair, 'USD', 'JPY')).toBeNaN();
});

it('a pair gives a currency over its other one the same in either direction', () => {
  fc.assert(
    fc.property(rates, rates, (rate, crossedOver) => {
      const direct = unitsPer({ base: 'EUR', quote: 'USD', rate }, 'USD', 'JPY', crossedOver);
      const inverse = unitsPer({ base: 'USD', quote: 'EUR', rate: 1 / rate }, 'USD', 'JPY', crossedOver);
      expect(direct).toBe(crossedOver * rate);
      expect(inverse / direct).toBeCloseTo(1, 12);
    }),
  );
});

it('a pair is crossed over what both currencies are given in, each once, in the order that is wanted', () => {
  const given = new Set(['USD/EUR', 'EUR/USD', 'USD/CHF', 'JPY/CHF', 'JPY/USD']);
  const legOf = (currency: string, per: string) =>
    given.has(`${currency}/${per}`) ? `${currency} per ${per}` : undefined;
  const ways = (pers: string[]) => [...crossingsOf({ base: 'USD', quote: 'JPY' }, pers, legOf)];
  expect(ways(['CHF', 'EUR', 'USD', 'CHF', 'JPY'])).toEqual([
    { per: 'CHF', base: 'USD per CHF', quote: 'JPY per CHF' },
    { per: 'USD', base: undefined, quote: 'JPY per USD' },
  ]);
});
