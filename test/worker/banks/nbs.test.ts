import { feed } from '../../../worker/banks/nbs.js';
import { blockedPage, casesOf, htmlRow } from './cases.js';

const EUR = ['EUR', '978', 'EMU', '1', '117,3433'];
const HUF = ['HUF', '348', 'Mađarska', '100', '32,2833'];
const HEADINGS = ['OZNAKA VALUTE', 'ŠIFRA VALUTE', 'ZEMLJA', 'VAŽI ZA', 'SREDNJI KURS'];
/** A part of a page, as the bank's application sends it. */
const pageOf = (
  day: string,
  lines: string[][],
  { type = 'ZA ZVANIČNI SREDNJI KURS DINARA', formed = 'FORMIRANA NA DAN' } = {},
) =>
  [
    ...['KURSNA LISTA BR. 153', type, `${formed} ${day} GODINE`].map(
      (text) => `<center><h6>${text}</h6></center>`,
    ),
    '<table><tbody>',
    ...[HEADINGS, ...lines].map((cells) => htmlRow(cells)),
    '</tbody></table><p>Vrednost SPV (XDR): 144,12345</p>',
  ].join('\n');
const today = (...lines: string[][]) => pageOf('14.8.2026.', lines);
const PLACE = 'GET webappcenter.nbs.rs/ExchangeRateWebApp/ExchangeRate/IndexByDate';
const { reads, empty, nothing, refuses } = casesOf(feed, '2026-08-14..2026-08-14', PLACE);
reads('the middle rate in dinars for one unit', {
  given: today(EUR, HUF),
  rates: ['2026-08-14 EUR/RSD 117.3433, HUF/RSD 0.322833'],
  asks: ['isSearchExecuted=true&Date=14.8.2026.&ExchangeRateListTypeID=3&lang=lat'],
});
reads('headings may be in Cyrillic letters, and currencies may have ended', {
  given: pageOf('14.8.2026.', [EUR, ['HRK', '191', 'Хрватска', '1', '15,5741']], {
    type: 'ЗА ЗВАНИЧНИ СРЕДЊИ КУРС ДИНАРА',
    formed: '&#x424;&#x41E;&#x420;&#x41C;&#x418;&#x420;&#x410;&#x41D;&#x410; НА ДАН',
  }),
  rates: ['2026-08-14 EUR/RSD 117.3433'],
  dropped: { 'after-end': 1 },
});
reads('a holiday is answered with the list before, and a weekend is not asked for', {
  days: '2026-08-14..2026-08-17',
  given: today(EUR),
  rates: ['2026-08-14 EUR/RSD 117.3433'],
  asks: ['Date=14.8.2026.', 'Date=17.8.2026.'],
});
empty('a holiday alone has no rates', today(EUR), '2026-08-17..2026-08-17');
const old = pageOf('1.11.2006.', [EUR], { formed: 'Na dan' });
nothing('an old page, which does not say the day of its list', old, '2006-11-01..2006-11-01');
const NOT_A_LINE = /a line is not code/;
refuses([
  ['an old page of later', old, /no heading h6 with the day/, '2011-01-03..2011-01-03'],
  ['a blocked page of earlier', blockedPage, /no heading h6 with the day/, '2006-11-01..2006-11-01'],
  ['half a page', today(EUR).slice(0, -70), /cut short/],
  ['a list of a later day', pageOf('17.8.2026.', [EUR]), /2026-08-17, which is after/],
  ['a list of a year before', pageOf('14.8.2025.', [EUR]), /other days than asked for/],
  ['a list of banknotes', pageOf('14.8.2026.', [EUR], { type: 'ZA EFEKTIVU' }), /it is another list/],
  ['a list of buying and selling', today([...EUR, '118,0000']), NOT_A_LINE],
  ['a line without a code', today(EUR.with(0, '')), NOT_A_LINE],
  ['a line without units', today(EUR.with(3, '')), NOT_A_LINE],
  ['other units', today(EUR.with(3, '250')), NOT_A_LINE],
  ['a line without a rate', today(EUR, HUF.with(4, '')), NOT_A_LINE],
  ['no table', today(EUR).replace(/<table>.*<\/table>/s, ''), /no table/],
]);
