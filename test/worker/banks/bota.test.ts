import { feed } from '../../../worker/banks/bota.js';
import { type Answer, casesOf, formatDate, htmlRow } from './cases.js';

const PATH = 'www.bot.go.tz/ExchangeRate/previous_rates';
const landing = {
  headers: {
    'set-cookie': ['ASP.NET_SessionId=rkt; path=/; HttpOnly', '__RequestVerificationToken=abc; path=/'],
  },
  body: '<form><input name="__RequestVerificationToken" type="hidden" value="x-_y" /></form>',
};
const table = (rows: string[][], columns = ['S/N', 'Currency', 'Buy', 'Sell', 'Mean', 'Date']) =>
  `<table id="menu"><tr><td>Home</td></tr></table><table id="myTable"><thead>${htmlRow(columns, 'th')}</thead><tbody>${rows
    .map((cells) => htmlRow(cells.map((cell) => ` ${cell} `)))
    .join('')}</tbody></table>`;
const row = (code: string, mean: string | number, day = '19-May-26', buy = '', sell = '') => [
  ...['1', code, buy, sell, String(mean), day],
];
const { reads, codes } = casesOf(feed, '2026-05-16..2026-05-19', (answer: Answer) => ({
  [`GET ${PATH}`]: landing,
  [`POST ${PATH}`]: answer,
}));
const columns = ['S/NO', 'Currency', 'Buying', 'Selling', 'Mean', 'Transaction Date'];
reads('the mean in shillings for one unit, from the page of 2026', {
  given: table([row('AED', '701.6571', '18-May-26'), row('SDR', '3507.112'), row('ATS', '165.2051')], columns)
    .replace('myTable', 'table1')
    .replace(/<\/table>$/, `<tfoot>${htmlRow(columns, 'th')}</tfoot></table>`),
  rates: ['2026-05-18 AED/TZS 701.6571', '2026-05-19 XDR/TZS 3507.112'],
});
reads('the mean in shillings for one unit, with commas among the decimals', {
  given: table([
    row('USD', '2,602.0,545', undefined, '2,589.0,500', '2,615.0,600'),
    row('JPY', '18.0,400'),
    row('ugx', '0.7,050', '16-May-26'),
    row('SEK', '0.0,000'),
    row('NOK', ''),
    row('DKK', '394.0,500', ''),
    row('GOLD', '11,500,000.0,000'),
    row('ZWD', '7.1,000'),
    ['no', 'more'],
  ]),
  rates: ['2026-05-19 USD/TZS 2602.0545, JPY/TZS 18.04', '2026-05-16 UGX/TZS 0.705'],
  sides: ['2026-05-19 USD/TZS 2589.05 2615.06'],
  asks: [
    [],
    [
      '__RequestVerificationToken=x-_y & dateFrom=05/16/2026 & dateTo=05/19/2026',
      'cookie: ASP.NET_SessionId=rkt; __RequestVerificationToken=abc',
    ],
  ],
});
const spelled = (day: string) => formatDate(day, 'DD-Mon-YYYY').replace(/-\d\d(\d\d)$/, '-$1');
codes(
  ({ day, code, price }) => table([row(code, price, spelled(day))]),
  '1999-07-01 SDR 950 1 XDR/TZS 950',
  '1999-07-01 MXM 0.06 1 MZM/TZS 0.06',
  '2012-12-31 ZMK 0.3 1 ZMK/TZS 0.3',
  '2013-01-02 ZMK 304 1 ZMW/TZS 304',
);
reads('a fresh token every 30 days, and a table without rows is a window without rates', {
  days: '2026-04-01..2026-05-19',
  given: table([]),
  asks: ['GET', 'POST & dateTo=04/30/2026', 'GET', 'POST & dateTo=05/19/2026'],
});
