import { feed } from '../../../worker/banks/pma.js';
import { type Answer, casesOf, makeXlsx } from './cases.js';

const PATH = 'wcur.pma.ps/ar/webtools/currency/export';
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
type Given = { form?: Answer; file?: Answer };
const { reads, nothing, refuses } = casesOf(feed, '2026-09-01..2026-09-02', (given: Given) => ({
  [`GET ${PATH}`]: given.form ?? page(TOKEN),
  [`POST ${PATH}`]: given.file ?? '',
}));
reads("the bank's own middle of each pair", {
  given: {
    file: file([
      ['2026/09/01', 'EUR/ILS', '3.5131', '3.5174', '3.5154'],
      ['2026/09/01', 'USD/LBP', '89,575', '89,587', ' 89,587 '],
      ['2026-09-02', 'XAU/USD', 3400, 3500, 3450],
      ['2026/09/02', 'AUD/USD', '0.7', '0.7', null],
    ]),
  },
  rates: ['2026-09-01 EUR/ILS 3.5154, USD/LBP 89587', '2026-09-02 XAU/USD 3450'],
  sides: ['2026-09-01 EUR/ILS 3.5131 3.5174'],
  skipped: { 'no rate': 1 },
  asks: [[], `alUx===NEx1== & cookie: PHPSESSID=abc & referer: https://${PATH}`],
});
nothing('a window without rates has the headings alone', { file: file([]) });
const row = (day: string, pair: string, rate: string) => ({ file: file([[day, pair, '1', '1', rate]]) });
refuses([
  ['two hidden fields', { form: page(TOKEN, TOKEN) }, /2 hidden fields/],
  ['a refused token', { file: page(TOKEN) }, /the token was refused/],
  ['a pair that is none', row('2026/09/01', 'EUR', '1'), /not a pair/],
]);
