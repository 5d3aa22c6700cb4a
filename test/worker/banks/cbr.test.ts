import { feed } from '../../../worker/banks/cbr.js';
import { type Answer, casesOf, formatDate } from './cases.js';

const xml = (body: string): Answer => ({
  headers: { 'content-type': 'application/xml; charset=windows-1251' },
  body: Buffer.from(`<?xml version="1.0" encoding="windows-1251"?>${body}`, 'latin1'),
});
// "\xc8\xf0\xe0\xed" is the start of a Russian name in windows-1251.
const list = (code: string) =>
  xml(
    `<ValCurs><Valute ID="R01300"><CharCode>${code}</CharCode><Name>\xc8\xf0\xe0\xed</Name></Valute></ValCurs>`,
  );
const record = (day: string, nominal: number, value: string, more = '') =>
  `<Record Date="${day}"><Nominal>${nominal}</Nominal><Value>${value}</Value>${more}</Record>`;
const series = (...records: string[]) => xml(`<ValCurs ID="R01300">${records.join('')}</ValCurs>`);
const answers = (currencies: Answer, values: Answer = series(), metals = '<Metall/>') => ({
  'GET /scripts/XML_daily.asp': currencies,
  'GET /scripts/XML_dynamic.asp': values,
  'GET /scripts/xml_metall.asp': xml(metals),
});
const { reads, nothing, refuses, codes } = casesOf(feed, '2026-03-03..2026-03-08');
reads('roubles for one unit and for a troy ounce', {
  given: answers(
    list('IRR'),
    series(
      record('03.03.2026', 1000000, '58,8139', '<VunitRate>5,88139E-05</VunitRate>'),
      record('04.03.2026', 100, '1 234,50'),
      record('05.03.2026', 1, ''),
    ),
    '<Metall><Record Date="03.03.2026" Code="1"><Buy>12957,47</Buy></Record><Record Date="03.03.2026" Code="9"><Buy>1</Buy></Record></Metall>',
  ),
  rates: ['2026-03-03 IRR/RUB 0.0000588139', '2026-03-04 IRR/RUB 12.345', '2026-03-03 XAU/RUB 403022.367532'],
  count: 3,
  asks: [[], 'date_req1=03/03/2026&date_req2=08/03/2026&VAL_NM_RQ=R01300'],
});
reads('a setting of a Friday, which takes effect on the Saturday', {
  days: '2026-03-13..2026-03-17',
  given: answers(
    list('USD'),
    series(
      record('13.03.2026', 1, '79,0671'),
      record('14.03.2026', 1, '80,2254'),
      record('17.03.2026', 1, '81,0517'),
    ),
    '<Metall><Record Date="14.03.2026" Code="1"><Buy>13000</Buy></Record></Metall>',
  ),
  rates: [
    '2026-03-13 USD/RUB 79.0671',
    '2026-03-14 USD/RUB 80.2254',
    '2026-03-17 USD/RUB 81.0517',
    '2026-03-14 XAU/RUB 404345.1984',
  ],
});
const weeks = ['03', '10', '17', '24'].flatMap((first) =>
  [0, 1, 2, 3, 4].map((more) => Number(first) + more),
);
reads('weeks of Tuesday to Saturday are not misread', {
  days: '2026-03-03..2026-03-28',
  given: answers(
    list('USD'),
    series(...weeks.map((day) => record(`${String(day).padStart(2, '0')}.03.2026`, 1, '80'))),
  ),
  rates: weeks.map((day) => `2026-03-${String(day).padStart(2, '0')} USD/RUB 80`),
});
codes(
  ({ day, code, price, units }) =>
    answers(
      list(code),
      series(record(formatDate(day, 'DD.MM.YYYY'), units, String(price).replace('.', ','))),
    ),
  '2000-10-27 TJS 17.5 1000 TJR/RUB 0.0175',
  '2000-10-30 TJS 11 1 TJS/RUB 11',
);
nothing('days without a setting are not listed', answers(list('IRR')));
refuses([['an empty list', answers(xml('<ValCurs/>')), /empty/]]);
