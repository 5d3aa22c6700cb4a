import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { printTable } from '../../../worker/cli/output.js';

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
