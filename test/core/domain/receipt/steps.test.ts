import { expect, it } from 'vitest';
import {
  blendedCurrency,
  type CountedRow,
  computeSteps,
  type Side,
} from '../../../../core/domain/receipt/steps.js';
import { FOUR_DAYS } from './made-receipts.js';

const DAY = '2026-03-06';
const side = (currency: string, peg?: Side['peg'], date = DAY): Side => ({ currency, date, peg });
const row = (name: string, provider: string, pair: string, rate: number, date = DAY): CountedRow => {
  const [base = '', quote = ''] = pair.split('/');
  return { for: name, provider, date, base, quote, rate };
};
const steps = (base: Side, quote: Side, rows: CountedRow[], date = DAY) =>
  computeSteps({ base, quote, date }, rows);
const XOF = { base: 'EUR', rate: 655.957 };
const AED = { base: 'USD', rate: 3.6725 };
const EURO = row('EUR', 'ECB', 'EUR/USD', 2);

it('the blend behind a currency is its own, or that of its anchor, and none behind the dollar', () => {
  const sides = [side('EUR'), side('USD'), side('XOF', XOF), side('AED', AED)];
  expect(sides.map(blendedCurrency)).toEqual(['EUR', undefined, 'EUR', undefined]);
});

it('the steps to a rate weigh each source by its age on the day of its currency, not that of the pair', () => {
  const { weights, ratio } = steps(side('EUR', undefined, '2026-03-05'), side('NOK'), [
    row('EUR', 'BOC', 'USD/EUR', 0.5, '2026-03-01'),
    row('EUR', 'ECB', 'USD/EUR', 0.75, '2026-03-05'),
    row('NOK', 'ECB', 'USD/NOK', 6),
  ]);
  const base = { currency: 'EUR', date: '2026-03-05', rate: (0.5 * FOUR_DAYS + 0.75) / (FOUR_DAYS + 1) };
  const quote = { currency: 'NOK', date: DAY, rate: 6 };
  expect(weights).toEqual([
    { ...base, total: FOUR_DAYS + 1 },
    { ...quote, total: 1 },
  ]);
  expect(ratio).toEqual({ base, quote, date: DAY, rate: 6 / base.rate });
});

it('the steps to a rate date the rate by the newer of the two sides, whichever that is', () => {
  const rows = [EURO, row('NOK', 'ECB', 'USD/NOK', 6, '2026-03-04')];
  const older = side('NOK', undefined, '2026-03-04');
  expect(steps(side('EUR'), older, rows).ratio.date).toBe(DAY);
  expect(steps(older, side('EUR'), rows).ratio.date).toBe(DAY);
});

it('the steps to a rate name all outliers, in the order of their keys, and leave them out of mean and total', () => {
  const rows = ['A', 'B', 'C', 'D'].map((key) => row('EUR', key, 'USD/EUR', 0.5));
  rows.push(row('EUR', 'F', 'USD/EUR', 0.75), row('EUR', 'E', 'USD/EUR', 0.25));
  const { frame, consensus, weights } = steps(side('USD'), side('EUR'), rows);
  expect(frame.map(({ provider }) => provider)).toEqual(['A', 'B', 'C', 'D', 'E', 'F']);
  expect(consensus).toEqual([
    { currency: 'EUR', median: 0.5, deviation: 0, limit: 0.025, excluded: ['E', 'F'] },
  ]);
  expect(weights).toEqual([{ currency: 'EUR', date: DAY, total: 4, rate: 0.5 }]);
  expect(steps(side('USD'), side('EUR'), rows.slice(0, 3)).consensus).toEqual([]);
});

it('the steps to a rate say of how many pairs of a source its rate is the mean, and are none for the dollar', () => {
  const rows = [row('EUR', 'ECB', 'USD/EUR', 0.25), EURO];
  const { frame, ratio } = steps(side('USD'), side('EUR'), rows);
  expect(frame).toEqual([{ currency: 'EUR', provider: 'ECB', date: DAY, rate: 0.375, paths: 2 }]);
  expect(ratio).toMatchObject({ base: { currency: 'USD', date: DAY, rate: 1 }, rate: 0.375 });
});

it('a peg is itself the rate of its currency to its base', () => {
  const rows = [row('EUR', 'ECB', 'EUR/USD', 1.15)];
  const { ratio } = steps(side('EUR'), side('XOF', XOF), rows);
  expect(ratio.rate).toBe(655.957);
  // By way of the dollar another digit would be the last.
  expect(ratio.quote.rate / ratio.base.rate).not.toBe(655.957);
  const inverse = steps(side('XOF', XOF), side('EUR'), rows).ratio;
  expect(inverse.rate).toBe(inverse.quote.rate / inverse.base.rate);
});

it('a peg and its base are blended once where they have one day', () => {
  const { frame, weights } = steps(side('EUR'), side('XOF', XOF), [EURO]);
  expect([frame.length, weights.length]).toEqual([1, 1]);
  const apart = steps(side('EUR', undefined, '2026-03-07'), side('XOF', XOF), [EURO]);
  expect(apart.weights.map(({ date }) => date)).toEqual(['2026-03-07', DAY]);
});

it('a currency costs one of itself, on the day that was asked for', () => {
  const euro = side('EUR', undefined, '2026-03-05');
  const { ratio } = steps(euro, euro, [row('EUR', 'ECB', 'EUR/USD', 3, '2026-03-05')], '2026-03-07');
  expect(ratio).toMatchObject({ date: '2026-03-07', rate: 1 });
});

it('to a currency contribute only the rows that are for it', () => {
  const rows = [EURO, row('NOK', 'BOC', 'USD/EUR', 0.5), row('NOK', 'ECB', 'EUR/NOK', 12)];
  // The bridge of the krone is for the euro.
  expect(steps(side('EUR'), side('NOK'), rows).frame).toMatchObject([{ provider: 'ECB', rate: 0.5 }]);
});
