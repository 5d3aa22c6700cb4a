import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/pma.js';
import { type Answer, blockedPage, makeXlsx, readFeed } from '../feeds/support.js';

const [FORM, PLACE] = [
  'GET wcur.pma.ps/ar/webtools/currency/export',
  'POST wcur.pma.ps/ar/webtools/currency/export',
];
const DAYS = '2026-09-01..2026-09-02';
const page = (...hidden: string[]): Answer => ({
  headers: { 'set-cookie': 'PHPSESSID=abc; path=/' },
  body: `<!DOCTYPE html><html><body><form>${hidden.join('')}<input id="from" name="from"></form></body></html>`,
});
const TOKEN = '<input type="hidden" name="alUx==" value="NEx1==">';
const HEADINGS = ['التاريخ', 'العملة', 'الشراء', 'البيع', 'الوسطي'];
const file = (rows: (string | number | null)[][], headings = HEADINGS): Answer => ({
  headers: { 'content-type': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' },
  body: makeXlsx({ Sheet1: [headings, ...rows] }),
});

test("the bank's own middle of each pair", async () => {
  const { rows, skipped, requests } = await readFeed(feed, DAYS, {
    [FORM]: page(TOKEN),
    [PLACE]: file([
      ['2026/09/01', 'EUR/ILS', '3.5131', '3.5174', '3.5154'],
      ['2026/09/01', 'USD/LBP', '89,575', '89,587', ' 89,587 '],
      ['2026-09-02', 'XAU/USD', 3400, 3500, 3450],
      ['2026/09/02', 'AUD/USD', '0.7', '0.7', null],
    ]),
  });
  expect(rows).toEqual([
    ['2026-09-01', 'EUR', 'ILS', 3.5154],
    ['2026-09-01', 'USD', 'LBP', 89_587],
    ['2026-09-02', 'XAU', 'USD', 3450],
  ]);
  expect(skipped).toEqual({ 'no rate': 1 });
  expect(requests[1]?.form.get('alUx==')).toBe('NEx1==');
  expect(requests[1]?.headers).toMatchObject({
    cookie: 'PHPSESSID=abc',
    referer: expect.stringContaining('export'),
  });
});

test('headings alone are an empty window', async () => {
  expect(await readFeed(feed, DAYS, { [FORM]: page(TOKEN), [PLACE]: file([]) })).toMatchObject({
    rows: [],
    noData: ['a window without rates has the headings alone'],
  });
});

test.each<[string, Answer, Answer, RegExp]>([
  ['a blocked page', blockedPage, '', /0 hidden fields/],
  ['two hidden fields', page(TOKEN, TOKEN), '', /2 hidden fields/],
  ['a refused token', page(TOKEN), page(TOKEN), /the token was refused/],
  ['a changed layout', page(TOKEN), file([], ['Date', 'Currency', 'Buy', 'Sell', 'Middle']), /headings/],
  ['a pair that is none', page(TOKEN), file([['2026/09/01', 'EUR', '1', '1', '1']]), /not a pair/],
  ['a date that is none', page(TOKEN), file([['soon', 'EUR/ILS', '1', '1', '1']]), /not a date/],
  ['a rate that is none', page(TOKEN), file([['2026/09/01', 'EUR/ILS', '1', '1', 'n/a']]), /not a number/],
])('%s is an error', async (_, form, answer, message) => {
  await expect(readFeed(feed, DAYS, { [FORM]: form, [PLACE]: answer })).rejects.toThrow(message);
});
