import { expect, it } from 'vitest';
import { sourceProofs } from '../../../../core/domain/receipt/source-rate.js';

const DAY = '2026-03-06';
const row = (pair: string, rate: number, date = DAY) => {
  const [base = '', quote = ''] = pair.split('/');
  return { provider: 'NBP', date, base, quote, rate };
};
/** A pair as `BASE/QUOTE per CURRENCY`. */
const steps = (pair: string, rows: ReturnType<typeof row>[], date = DAY) => {
  const [base = '', quote = '', per = ''] = pair.split(/\/| per /);
  const proofs = sourceProofs({ provider: 'NBP', base, quote, date }, rows, 'EUR');
  const found = [...proofs].find((proof) => proof.per === per);
  return found?.steps ?? expect.fail(`none per ${per}`);
};
const ZLOTY = row('EUR/PLN', 4);

it('the rate of a pair from one source is a row as published, with one figure', () => {
  const { source, ratio } = steps('EUR/PLN per EUR', [ZLOTY]);
  const quote = { currency: 'PLN', date: DAY, rate: 4 };
  expect(source).toEqual({ provider: 'NBP', per: 'EUR', figures: [quote] });
  expect(ratio).toEqual({ base: { currency: 'EUR', date: DAY, rate: 1 }, quote, date: DAY, rate: 4 });
});

it.each([
  ['PLN/EUR per EUR', 4, 1],
  ['PLN/EUR per PLN', 1, 0.25],
])('the rate of a pair is the inverse of a row the other way round: %s', (pair, base, quote) => {
  const { ratio } = steps(pair, [row('EUR/PLN', 4)]);
  expect(ratio).toMatchObject({ base: { rate: base }, quote: { rate: quote }, rate: 0.25 });
});

it('the rate of a pair from one source is crossed from two rows, and has the day of the newer', () => {
  const older = '2026-03-04';
  const one = steps('USD/EUR per PLN', [row('EUR/PLN', 4), row('USD/PLN', 3.2, older)]);
  expect(one.ratio).toMatchObject({
    base: { date: '2026-03-04', rate: 1 / 3.2 },
    quote: { date: DAY, rate: 0.25 },
    date: DAY,
  });
  expect(one.ratio.rate).toBeCloseTo(0.8, 15);
  const other = steps('USD/EUR per PLN', [row('EUR/PLN', 4, older), row('USD/PLN', 3.2)]);
  expect(other.ratio).toMatchObject({ base: { date: DAY }, quote: { date: '2026-03-04' }, date: DAY });
});

it.each([
  ['CHF/NOK', 16, 'EUR/NOK', 12],
  ['NOK/CHF', 0.0625, 'NOK/EUR', 1 / 12],
])('the rate of a pair has a bridge, and keeps its day: %s at %d, %s at %d', (pair, rate, bridge, by) => {
  const date = '2026-03-03';
  const rows = [row(bridge, by), row(pair, rate, date)];
  for (const any of [rows, rows.toReversed()])
    expect(steps('EUR/CHF per EUR', any).ratio).toMatchObject({ rate: expect.closeTo(0.75, 15), date });
});

it('the rate of a pair from one source is 1 of a currency to itself, without figures, on the day that was found', () => {
  const { source, ratio } = steps('PLN/PLN per PLN', [ZLOTY], '2026-03-07');
  expect(source?.figures).toEqual([]);
  const side = { currency: 'PLN', date: '2026-03-07', rate: 1 };
  expect(ratio).toEqual({ base: side, quote: side, date: '2026-03-07', rate: 1 });
});
