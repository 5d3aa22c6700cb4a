import { feed } from '../../../worker/banks/bi.js';
import { type Answer, blockedPage, casesOf, htmlRow } from './cases.js';

const PATH = 'www.bi.go.id/en/statistik/informasi-kurs/transaksi-bi/default.aspx';
const PREFIX = 'ctl00$PlaceHolderMain$g_12ab$ctl00';
const tokens = ['__REQUESTDIGEST', '__VIEWSTATE', '__VIEWSTATEGENERATOR', '__EVENTVALIDATION']
  .map((name) => `<input type="hidden" name="${name}" value="${name} +/=" />`)
  .join('');
const landing = (...codes: string[]) => ({
  headers: { 'set-cookie': ['BIGip=one; path=/', 'TS01=two; HttpOnly'] },
  body: `<form>${tokens}<input name="${PREFIX}$txtFrom" type="text"/><select name="${PREFIX}$ddlmatauang1">${codes
    .map((code) => `<option value="${code}  ">${code}</option>`)
    .join('')}</select></form>`,
});
const form = `<form><input type="submit" name="${PREFIX}$btnSearch1"/></form>`;
const result = (rows: string[][], caption = 'CURRENCIES AED', columns = ['Value', 'Sell', 'Buy', 'Date']) =>
  `${form}<span id="ctl00_lblKursTransaksiKTBI2">${caption}</span><table id="ctl00_gvSearchResult2">${htmlRow(columns, 'th')}${rows.map((cells) => htmlRow(cells)).join('')}</table>`;
type Given = readonly [page: Answer, ...results: Answer[]];
const { reads, refuses } = casesOf(feed, '2026-03-02..2026-03-05', ([page, ...results]: Given) => ({
  [`GET ${PATH}`]: page,
  [`POST ${PATH}`]: results,
}));
reads('the midpoint in rupiah for one unit, by the value of each row, one request per currency', {
  given: [
    landing('AED', 'JPY'),
    result([
      ['1.00', '4,627.79', '4,580.24', '5 Mar 2026'],
      ['1.00', '4,616.19', '-', '4 Mar 2026'],
      ['1.00', '0.00', '4,569.51', '3 Mar 2026'],
    ]),
    result([['100.00', '10,762.12', '10,653.69', '5 Mar 2026']], 'CURRENCIES JPY  '),
  ],
  rates: ['2026-03-05 AED/IDR 4604.015, JPY/IDR 107.07905'],
  sides: ['2026-03-05 AED/IDR 4580.24 4627.79', '2026-03-05 JPY/IDR 106.5369 107.6212'],
  dropped: { malformed: 1 },
  asks: [
    [],
    [
      `cookie: BIGip=one; TS01=two & referer: https://${PATH} & __VIEWSTATE=__VIEWSTATE +/=`,
      `${PREFIX}$ddlmatauang1=AED   & ${PREFIX}$txtFrom=02-Mar-2026 & ${PREFIX}$txtTo=05-Mar-2026`,
      `${PREFIX}$hidSourceID=ctl00_PlaceHolderMain_g_12ab_ctl00_btnSearch1`,
    ],
    `${PREFIX}$ddlmatauang1=JPY  `,
  ],
});
reads('no more than 90 days a request; the form without a table is a window without rows', {
  days: '2026-01-01..2026-04-30',
  given: [landing('AED'), form],
  asks: [[], `${PREFIX}$txtTo=31-Mar-2026`, `${PREFIX}$txtTo=30-Apr-2026`],
});
refuses([
  ['a form without currencies', [landing()], /no form with dates and currencies/],
  ['a blocked result', [landing('AED'), blockedPage], /responded with "" where/],
  ['another currency', [landing('CAD'), result([], 'CURRENCIES BND')], /"CURRENCIES BND" where CAD/],
]);
