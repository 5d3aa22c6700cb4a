import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/bcrp.js';
import { blockedPage, readFeed } from '../feeds/support.js';

const DAYS = '2026-09-01..2026-09-08';
const PLACE =
  'GET estadisticas.bcrp.gob.pe/estadisticas/series/api/PD04639PD-PD04640PD/json/2026-09-01/2026-09-08/ing';
const answer = (periods: [string, string[]][], names = ['TC - Compra', 'TC - Venta']) => ({
  headers: { 'content-type': 'text/html; charset=UTF-8' },
  body: JSON.stringify({
    config: { title: 'Tipo de cambio', series: names.map((name) => ({ name, dec: '3' })) },
    periods: periods.map(([name, values]) => ({ name, values })),
  }),
});

test('the middle of both quotes, September in Spanish', async () => {
  const { rows, skipped } = await readFeed(feed, DAYS, {
    [PLACE]: answer([
      ['01.Set.26', ['3.36', '3.368']],
      ['04.Sep.26', ['3.36', '3.369']],
      ['07.Set.26', ['3.4', 'n.d.']],
    ]),
  });
  expect(rows).toEqual([
    ['2026-09-01', 'USD', 'PEN', 3.364],
    ['2026-09-04', 'USD', 'PEN', 3.3645],
  ]);
  expect(skipped).toEqual({ 'no rate': 1 });
});

test('closed days are an empty window', async () => {
  const blank: [string, string[]][] = [['08.Set.26', ['n.d.', 'n.d.']]];
  expect(await readFeed(feed, DAYS, { [PLACE]: answer(blank) })).toMatchObject({
    rows: [],
    noData: ['a closed day is n.d.'],
  });
  expect(await readFeed(feed, DAYS, { [PLACE]: answer([]) })).toMatchObject({
    rows: [],
    noData: ['a closed day is not listed'],
  });
});

test.each([
  ['a blocked page', blockedPage, /HTML page/],
  ['a changed layout', answer([['2026-09-01', ['3.36', '3.37']]]), /not a date/],
  ['a row of one value', answer([['01.Set.26', ['3.36']]]), /0 of 1 records/],
  [
    'series in another order',
    answer([], ['TC - Venta', 'TC - Compra']),
    /series 1 is "TC - Venta", not Compra/,
  ],
])('%s is an error', async (_, given, message) => {
  await expect(readFeed(feed, DAYS, { [PLACE]: given })).rejects.toThrow(message);
});
