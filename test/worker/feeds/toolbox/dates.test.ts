import { expect, test } from 'vitest';
import { ExchangedDate, FeedError } from '../../../../worker/feeds/feed-error.js';
import {
  dateOrNone,
  epochDate,
  excelDate,
  formatDate,
  monthNumber,
  parseDate,
} from '../../../../worker/feeds/toolbox/dates.js';

test.each([
  ['2026-03-02', 'YYYY-MM-DD', '2026-03-02'],
  ['2026-03-02T00:00:00.000Z', 'YYYY-MM-DD', '2026-03-02'],
  ['20260302', 'YYYYMMDD', '2026-03-02'],
  ['02.03.2026', 'DD.MM.YYYY', '2026-03-02'],
  ['3/24/2026 12:00:00 AM', 'M/D/YYYY', '2026-03-24'],
  ['19-May-26', 'DD-Mon-YY', '2026-05-19'],
  ['31.12.68', 'DD.MM.YY', '2068-12-31'],
  ['31.12.69', 'DD.MM.YY', '1969-12-31'],
  ['31.12.99', 'DD.MM.YY', '1999-12-31'],
  ['31.12.00', 'DD.MM.YY', '2000-12-31'],
  ['March 02, 2026', 'Mon DD, YYYY', '2026-03-02'],
  ['Jan 02\u00a0\u00a02024', 'Mon DD YYYY', '2024-01-02'],
  ['Jan. 5 2026', 'Mon D YYYY', '2026-01-05'],
  ['22 MAI 2026', 'DD Mon YYYY', '2026-05-22'],
  ['5 févr. 2026', 'D Mon YYYY', '2026-02-05'],
  ['29May2026', 'DDMonYYYY', '2026-05-29'],
  ['2025M07D08', 'YYYY[M]MM[D]DD', '2025-07-08'],
  ['29.02.2024', 'DD.MM.YYYY', '2024-02-29'],
  // What stands between the tokens is no pattern.
  ['2026.03(05)', 'YYYY.MM(DD)', '2026-03-05'],
  ['a.b 2026-03-05', '[a.b] YYYY-MM-DD', '2026-03-05'],
])('%s as %s', (text, form, date) => expect(parseDate(text, form)).toBe(date));

test.each([
  ['31.02.2026', 'DD.MM.YYYY'],
  ['2026-3-2', 'YYYY-MM-DD'],
  ['2026-03-021', 'YYYY-MM-DD'],
  ['02 Foo 2026', 'DD Mon YYYY'],
  ['total', 'DD.MM.YYYY'],
  ['', 'YYYY-MM-DD'],
  ['2026x03(05)', 'YYYY.MM(DD)'],
  ['axb 2026-03-05', '[a.b] YYYY-MM-DD'],
])('%j is no %s', (text, form) => {
  expect(() => parseDate(text, form)).toThrow(FeedError);
  expect(dateOrNone(text, form)).toBeUndefined();
});

test.each([
  ['DD/MM/YYYY', '05/03/2026'],
  ['MM/DD/YYYY', '03/05/2026'],
  ['D/M/YYYY', '5/3/2026'],
  ['DD/Mon/YYYY', '05/Mar/2026'],
  ['YYYYMMDD', '20260305'],
  ['YYYY[M]MM[D]DD', '2026M03D05'],
  ['YY-M-D', '26-3-5'],
  ['D Mon YY', '5 Mar 26'],
  ['[DD]DD', 'DD05'],
])('writes %s', (form, text) => expect(formatDate('2026-03-05', form)).toBe(text));

test.each([
  ['French', 'janvier février mars avril mai juin juillet août septembre octobre novembre décembre'],
  ['Spanish', 'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre'],
  ['short Spanish', 'ENE FEB MAR ABR MAY JUN JUL AGO SET OCT NOV DIC'],
  ['Portuguese', 'janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro'],
  ['Indonesian', 'Januari Februari Maret April Mei Juni Juli Agustus September Oktober November Desember'],
  ['English', 'January February March April May June July August September October November December'],
  [
    'Italian',
    'gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre',
  ],
  ['German', 'Januar Februar März April Mai Juni Juli August September Oktober November Dezember'],
  ['Dutch', 'januari februari maart april mei juni juli augustus september oktober november december'],
  ['Turkish', 'Ocak Şubat Mart Nisan Mayıs Haziran Temmuz Ağustos Eylül Ekim Kasım Aralık'],
])('months in %s', (_, names) => {
  expect(names.split(' ').map(monthNumber)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
});

test('other words for months, and words that are none', () => {
  expect(['mrt', 'Agt', 'Country'].map(monthNumber)).toEqual([3, 8, undefined]);
});

test("a workbook's day numbers and instants", () => {
  const days = ['2026-05-18', '2008-01-03', '1900-03-01', '2199-12-31'];
  expect([46160, 39450.75, 61, 109_574.9].map((serial) => excelDate(serial, 1900))).toEqual(days);
  const later = ['2026-05-18', '2008-01-03', '1904-03-02', '2199-12-31'];
  expect([44698, 37988.75, 61, 108_112.9].map((serial) => excelDate(serial, 1904))).toEqual(later);
  for (const serial of [0, -1, 3.5, 1e9, Number.NaN])
    for (const system of [1900, 1904] as const) expect(() => excelDate(serial, system)).toThrow(FeedError);
  for (const [serial, system] of [
    [60.9, 1900],
    [109_575, 1900],
    [60.9, 1904],
    [108_113, 1904],
  ] as const)
    expect(() => excelDate(serial, system)).toThrow(`workbook: ${serial}`);
  const instants = [1779408000000, 1e11 + 1, 8e12 - 1];
  expect(instants.map(epochDate)).toEqual(['2026-05-22', '1973-03-03', '2223-07-06']);
  for (const instant of [Number.NaN, 1e300, 1e11, 8e12]) expect(() => epochDate(instant)).toThrow(FeedError);
});

test.each([
  ['13/12/2026', true],
  ['31/01/2026', true],
  ['32/01/2026', false],
  ['13/13/2026', false],
  ['00/01/2026', false],
  ['12/32/2026', false],
])('whether %s has its day for its month: %s', (text, isExchanged) => {
  const read = () => parseDate(text, 'MM/DD/YYYY');
  expect(read).toThrow(FeedError);
  if (isExchanged) expect(read).toThrow(ExchangedDate);
  else expect(read).not.toThrow(ExchangedDate);
});

test('no text is no date, and a long one is quoted in part', () => {
  for (const text of [null, undefined])
    expect(() => parseDate(text, 'YYYY')).toThrow('no date where YYYY is expected');
  expect(() => parseDate('x'.repeat(50), 'YYYY')).toThrow(`form YYYY: "${'x'.repeat(40)}"`);
});
