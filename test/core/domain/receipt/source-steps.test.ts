import { describe, expect, it } from 'vitest';
import { computeSourceSteps, type SourceRow } from '../../../../core/domain/receipt/source-steps.js';
import { sourceReceipt } from './made-receipts.js';

const DAY = '2026-03-06';
const row = (name: string, pair: string, rate: number, part: Partial<SourceRow> = {}): SourceRow => {
  const [base = '', quote = ''] = pair.split('/');
  return { for: name, provider: 'NBP', date: DAY, base, quote, rate, ...part };
};
/** A pair as `BASE/QUOTE per CURRENCY`. */
const steps = (pair: string, rows: readonly SourceRow[], date = DAY) => {
  const [base = '', quote = '', per = ''] = pair.split(/\/| per /);
  return computeSourceSteps({ provider: 'NBP', base, quote, per, date }, rows);
};

it('a rate of one source has its figures as the only step', () => {
  const { inputs, steps: wanted } = sourceReceipt();
  const pair = { provider: 'ECB', base: 'JPY', quote: 'CHF', per: 'EUR', date: DAY };
  expect(computeSourceSteps(pair, inputs)).toEqual(wanted);
});

describe('the rate of a pair from one source', () => {
  it('is a row as published, with one figure', () => {
    const { source, ratio } = steps('EUR/PLN per EUR', [row('PLN', 'EUR/PLN', 4)]);
    expect(source).toEqual({
      provider: 'NBP',
      per: 'EUR',
      figures: [{ currency: 'PLN', date: DAY, rate: 4 }],
    });
    expect(ratio).toEqual({
      base: { currency: 'EUR', date: DAY, rate: 1 },
      quote: { currency: 'PLN', date: DAY, rate: 4 },
      date: DAY,
      rate: 4,
    });
  });

  it('is the inverse of a row the other way round', () => {
    expect(steps('PLN/EUR per EUR', [row('PLN', 'EUR/PLN', 4)]).ratio).toMatchObject({
      base: { rate: 4 },
      quote: { rate: 1 },
      rate: 0.25,
    });
    expect(steps('PLN/EUR per PLN', [row('EUR', 'EUR/PLN', 4)]).ratio).toMatchObject({
      base: { rate: 1 },
      quote: { rate: 0.25 },
      rate: 0.25,
    });
  });

  it('is crossed from two rows, and has the day of the newer', () => {
    const older = { date: '2026-03-04' };
    const one = steps('USD/EUR per PLN', [row('EUR', 'EUR/PLN', 4), row('USD', 'USD/PLN', 3.2, older)]);
    expect(one.ratio).toMatchObject({
      base: { date: '2026-03-04', rate: 1 / 3.2 },
      quote: { date: DAY, rate: 0.25 },
      date: DAY,
    });
    expect(one.ratio.rate).toBeCloseTo(0.8, 15);
    const other = steps('USD/EUR per PLN', [row('EUR', 'EUR/PLN', 4, older), row('USD', 'USD/PLN', 3.2)]);
    expect(other.ratio).toMatchObject({ base: { date: DAY }, quote: { date: '2026-03-04' }, date: DAY });
  });

  it.each([
    ['CHF/NOK', 16, 'EUR/NOK', 12, 0.75],
    ['CHF/NOK', 16, 'NOK/EUR', 1 / 12, 0.75],
    ['NOK/CHF', 0.0625, 'EUR/NOK', 12, 0.75],
    ['NOK/CHF', 0.0625, 'NOK/EUR', 1 / 12, 0.75],
  ])(
    'is brought to the common currency by a bridge: %s at %d, %s at %d',
    (pair, rate, bridge, by, wanted) => {
      const rows = [row('CHF', bridge, by, { bridge: true }), row('CHF', pair, rate)];
      for (const any of [rows, rows.toReversed()])
        expect(steps('EUR/CHF per EUR', any).ratio.rate).toBeCloseTo(wanted, 15);
    },
  );

  it('has the day of the row, not that of its bridge', () => {
    const rows = [
      row('CHF', 'CHF/NOK', 16, { date: '2026-03-03' }),
      row('CHF', 'EUR/NOK', 12, { bridge: true }),
    ];
    expect(steps('EUR/CHF per EUR', rows).ratio.date).toBe('2026-03-03');
  });

  it('is 1 of a currency to itself, without figures, on the day that was found', () => {
    const { source, ratio } = steps('PLN/PLN per EUR', [row('PLN', 'EUR/PLN', 4)], '2026-03-07');
    expect(source?.figures).toEqual([]);
    const side = { currency: 'PLN', date: '2026-03-07', rate: 1 };
    expect(ratio).toEqual({ base: side, quote: side, date: '2026-03-07', rate: 1 });
  });
});

describe('there is no rate', () => {
  it.each([
    ['without a row', []],
    ['from another source', [row('PLN', 'EUR/PLN', 4, { provider: 'NBU' })]],
    ['from a row for another currency', [row('CZK', 'EUR/PLN', 4)]],
    ['from a row that does not name the currency', [row('PLN', 'EUR/CZK', 4)]],
    ['from a bridge alone', [row('PLN', 'EUR/PLN', 4, { bridge: true })]],
    ['without a bridge', [row('PLN', 'CZK/PLN', 0.2)]],
    [
      'where the bridge does not name the other currency',
      [row('PLN', 'CZK/PLN', 0.2), row('PLN', 'EUR/NOK', 12, { bridge: true })],
    ],
    [
      'where the bridge does not lead to the common currency',
      [row('PLN', 'CZK/PLN', 0.2), row('PLN', 'CZK/NOK', 0.5, { bridge: true })],
    ],
  ])('%s', (_, rows) => {
    expect(steps('EUR/PLN per EUR', rows).ratio.rate).toBeNaN();
  });

  it('dates nothing where nothing was found, but by the day that was asked for', () => {
    const { source, ratio } = steps('EUR/PLN per EUR', []);
    expect(source?.figures).toEqual([]);
    expect(ratio).toMatchObject({ base: { date: DAY }, quote: { date: DAY }, date: DAY });
  });
});
