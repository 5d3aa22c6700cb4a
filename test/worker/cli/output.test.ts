import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { printTable, rateLines } from '../../../worker/cli/session.js';

test('a rate is an array, with both sides if it has one of them', () => {
  const row = { provider: 'INV', date: '2026-03-20', base: 'USD', quote: 'EUR', rate: 0.8668 };
  expect([...rateLines([row, { ...row, buy: 0.86 }, { ...row, buy: 0.86, sell: 0.87 }])]).toEqual([
    '["2026-03-20","USD","EUR",0.8668]',
    '["2026-03-20","USD","EUR",0.8668,0.86,null]',
    '["2026-03-20","USD","EUR",0.8668,0.86,0.87]',
  ]);
});

test('a table has its numbers in plain digits, aligned at the right', async () => {
  const output = new PassThrough();
  await printTable(
    output,
    ['PAIR', 'RATE'],
    [
      ['VND/USD', 2.4e-7],
      ['XAU/LAK', 1.5e21],
      ['EUR/USD', 1.25],
    ],
  );
  output.end();
  expect(await text(output)).toBe(
    'PAIR                       RATE\nVND/USD              0.00000024\nXAU/LAK  1500000000000000000000\nEUR/USD                    1.25\n',
  );
});
