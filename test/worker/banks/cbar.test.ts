import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/cbar.js';
import { blockedPage, readFeed } from '../feeds/support.js';

const place = (day: string) => `GET www.cbar.az/currencies/${day}.xml`;
const rate = (code: string, value: string, nominal = '1') =>
  `<Valute Code="${code}">\n<Nominal>${nominal}</Nominal><Name>x</Name>\n<Value>${value}</Value></Valute>`;
const file = (date: string, currencies: string[], metals = [rate('XAU', '7605.494', '1 t.u.')]) =>
  `<?xml version="1.0" encoding="UTF-8"?><ValCurs Date="${date}" Name="AZN"><ValType Type="Bank metalları">${metals.join('')}</ValType><ValType Type="Xarici valyutalar">${currencies.join('')}</ValType></ValCurs>`;
const FRIDAY = '2026-09-04..2026-09-04';

test('units, ounces, and a Saturday that repeats Friday', async () => {
  const friday = file('04.09.2026', [
    rate('USD', '1.7'),
    rate('KRW', '0.1255', '100'),
    rate('SDR', '2.3301'),
  ]);
  const { rows } = await readFeed(feed, '2026-09-04..2026-09-05', {
    [place('04.09.2026')]: friday,
    [place('05.09.2026')]: friday,
  });
  expect(rows).toEqual([
    ['2026-09-04', 'XAU', 'AZN', 7605.494],
    ['2026-09-04', 'USD', 'AZN', 1.7],
    ['2026-09-04', 'KRW', 'AZN', 0.001255],
    ['2026-09-04', 'XDR', 'AZN', 2.3301],
  ]);
});

test('old bulletins under their own codes', async () => {
  const { rows, skipped } = await readFeed(feed, '2004-12-31..2004-12-31', {
    [place('31.12.2004')]: file(
      '31.12.2004',
      [rate('USD', '4903'), rate('TRY', '3.61'), rate('BYN', '2.26'), rate('TMT', '0.94')],
      [rate('XAU', '', '1 t.u.')],
    ),
  });
  expect(rows).toEqual([
    ['2004-12-31', 'USD', 'AZM', 4903],
    ['2004-12-31', 'TRL', 'AZM', 0.00361],
    ['2004-12-31', 'BYR', 'AZM', 2.26],
    ['2004-12-31', 'TMM', 'AZM', 0.94],
  ]);
  expect(skipped).toEqual({ 'no rate': 1 });
});

test('a file of blanks is an empty window', async () => {
  const blank = file('04.09.2026', [rate('USD', '')], [rate('XAU', '', '1 t.u.')]);
  expect(await readFeed(feed, FRIDAY, { [place('04.09.2026')]: blank })).toMatchObject({
    rows: [],
    noData: ['what has no price is blank'],
  });
});

test.each([
  ['a blocked page', blockedPage, /HTML page/],
  [
    'a changed layout',
    file('04.09.2026', [rate('USD', '1.7')]).replaceAll('Valute', 'Rate'),
    /without currencies/,
  ],
  ['a date in another form', file('2026-09-04', [rate('USD', '1.7')]), /not a date/],
  ['a bulletin of another time', file('04.09.2025', [rate('USD', '1.7')]), /other days/],
])('%s is an error', async (_, given, message) => {
  await expect(readFeed(feed, FRIDAY, { [place('04.09.2026')]: given })).rejects.toThrow(message);
});
