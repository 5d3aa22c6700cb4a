import { describe, expect, it } from 'vitest';
import {
  blendedCurrency,
  type CountedRow,
  computeSteps,
  contributionsTo,
  type Side,
} from '../../../../core/domain/receipt/steps.js';
import { blendReceipt, FOUR_DAYS, peggedReceipt } from './made-receipts.js';

const DAY = '2026-03-06';
const side = (currency: string, peg?: Side['peg'], date = DAY): Side => ({ currency, date, peg });
const row = (name: string, provider: string, pair: string, rate: number, date = DAY): CountedRow => {
  const [base = '', quote = ''] = pair.split('/');
  return { for: name, provider, date, base, quote, rate };
};
const XOF = { base: 'EUR', rate: 655.957 };
const euro = row('EUR', 'ECB', 'EUR/USD', 2);

it.each([
  ['a currency', side('EUR'), 'EUR'],
  ['the dollar', side('USD'), undefined],
  ['a currency that is pegged to another', side('XOF', XOF), 'EUR'],
  ['a currency that is pegged to the dollar', side('AED', { base: 'USD', rate: 3.6725 }), undefined],
])('the blend behind %s', (_, one, blended) => {
  expect(blendedCurrency(one)).toBe(blended);
});

describe('the steps to a rate', () => {
  it('are the rates of each source in dollars, the consensus, the weighted means and their ratio', () => {
    const { inputs, steps } = blendReceipt();
    const rows = inputs.filter(({ provider }) => provider !== 'NBU');
    expect(computeSteps({ base: side('EUR'), quote: side('NOK'), date: DAY }, rows)).toEqual(steps);
  });

  it('weigh each source by its age on the day of its currency, not that of the pair', () => {
    const rows = [
      row('EUR', 'BOC', 'USD/EUR', 0.5, '2026-03-01'),
      row('EUR', 'ECB', 'USD/EUR', 0.75, '2026-03-05'),
      row('NOK', 'ECB', 'USD/NOK', 6),
    ];
    const { weights, ratio } = computeSteps(
      { base: side('EUR', undefined, '2026-03-05'), quote: side('NOK'), date: DAY },
      rows,
    );
    const rate = (0.5 * FOUR_DAYS + 0.75) / (FOUR_DAYS + 1);
    expect(weights).toEqual([
      { currency: 'EUR', date: '2026-03-05', total: FOUR_DAYS + 1, rate },
      { currency: 'NOK', date: DAY, total: 1, rate: 6 },
    ]);
    expect(ratio).toEqual({
      base: { currency: 'EUR', date: '2026-03-05', rate },
      quote: { currency: 'NOK', date: DAY, rate: 6 },
      date: DAY,
      rate: 6 / rate,
    });
  });

  it('date the rate by the newer of the two sides, whichever that is', () => {
    const rows = [row('EUR', 'ECB', 'EUR/USD', 2), row('NOK', 'ECB', 'USD/NOK', 6, '2026-03-04')];
    const older = side('NOK', undefined, '2026-03-04');
    expect(computeSteps({ base: side('EUR'), quote: older, date: DAY }, rows).ratio.date).toBe(DAY);
    expect(computeSteps({ base: older, quote: side('EUR'), date: DAY }, rows).ratio.date).toBe(DAY);
  });

  it('name all outliers, in the order of their keys, and leave them out of mean and total', () => {
    const rows = [
      ...['A', 'B', 'C', 'D'].map((key) => row('EUR', key, 'USD/EUR', 0.5)),
      row('EUR', 'F', 'USD/EUR', 0.75),
      row('EUR', 'E', 'USD/EUR', 0.25),
    ];
    const { frame, consensus, weights } = computeSteps(
      { base: side('USD'), quote: side('EUR'), date: DAY },
      rows,
    );
    expect(frame.map(({ provider }) => provider)).toEqual(['A', 'B', 'C', 'D', 'E', 'F']);
    expect(consensus).toEqual([
      { currency: 'EUR', median: 0.5, deviation: 0, limit: 0.025, excluded: ['E', 'F'] },
    ]);
    expect(weights).toEqual([{ currency: 'EUR', date: DAY, total: 4, rate: 0.5 }]);
  });

  it('have no consensus of three sources', () => {
    const rows = ['A', 'B', 'C'].map((key) => row('EUR', key, 'USD/EUR', 0.5));
    const { consensus } = computeSteps({ base: side('USD'), quote: side('EUR'), date: DAY }, rows);
    expect(consensus).toEqual([]);
  });

  it('say of how many pairs of a source its rate is the mean', () => {
    const rows = [row('EUR', 'ECB', 'USD/EUR', 0.25), row('EUR', 'ECB', 'EUR/USD', 2)];
    const { frame } = computeSteps({ base: side('USD'), quote: side('EUR'), date: DAY }, rows);
    expect(frame).toEqual([{ currency: 'EUR', provider: 'ECB', date: DAY, rate: 0.375, paths: 2 }]);
  });

  it('of the dollar are none', () => {
    const steps = computeSteps({ base: side('USD'), quote: side('EUR'), date: DAY }, [euro]);
    expect(steps.ratio).toMatchObject({ base: { currency: 'USD', date: DAY, rate: 1 }, rate: 0.5 });
    expect(steps.frame).toHaveLength(1);
  });
});

describe('a peg', () => {
  it('multiplies the blend of its base', () => {
    const { inputs, steps } = peggedReceipt();
    const pair = { base: side('AED', { base: 'USD', rate: 3.6725 }), quote: side('XOF', XOF), date: DAY };
    expect(computeSteps(pair, inputs)).toEqual(steps);
  });

  it('is itself the rate of its currency to its base', () => {
    const rows = [row('EUR', 'ECB', 'EUR/USD', 1.15)];
    const peg = { base: 'EUR', rate: 655.957 };
    const { ratio } = computeSteps({ base: side('EUR'), quote: side('XOF', peg), date: DAY }, rows);
    expect(ratio.rate).toBe(655.957);
    // By way of the dollar another digit would be the last.
    expect(ratio.quote.rate / ratio.base.rate).not.toBe(655.957);
    const inverse = computeSteps({ base: side('XOF', peg), quote: side('EUR'), date: DAY }, rows).ratio;
    expect(inverse.rate).toBe(inverse.quote.rate / inverse.base.rate);
  });

  it('and its base are blended once where they have one day', () => {
    const pair = { base: side('EUR'), quote: side('XOF', XOF), date: DAY };
    const steps = computeSteps(pair, [euro]);
    expect([steps.frame.length, steps.weights.length]).toEqual([1, 1]);
    const apart = computeSteps({ ...pair, base: side('EUR', undefined, '2026-03-07') }, [euro]);
    expect(apart.weights.map(({ date }) => date)).toEqual(['2026-03-07', DAY]);
  });
});

it('a currency costs one of itself, on the day of the row', () => {
  const { ratio } = computeSteps(
    {
      base: side('EUR', undefined, '2026-03-05'),
      quote: side('EUR', undefined, '2026-03-05'),
      date: '2026-03-07',
    },
    [row('EUR', 'ECB', 'EUR/USD', 3, '2026-03-05')],
  );
  expect(ratio).toMatchObject({ date: '2026-03-07', rate: 1 });
});

it('to a currency contribute only the rows that are for it', () => {
  const rows = [euro, row('NOK', 'BOC', 'USD/EUR', 0.5), row('NOK', 'ECB', 'EUR/NOK', 12)];
  expect(contributionsTo('EUR', DAY, rows)).toMatchObject([{ provider: 'ECB', rate: 0.5 }]);
  // Its bridge is for the euro.
  expect(contributionsTo('NOK', DAY, rows)).toEqual([]);
});
