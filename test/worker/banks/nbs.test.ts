import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/nbs.js';
import { type Answer, blockedPage, readFeed } from '../feeds/support.js';

const PLACE = 'GET webappcenter.nbs.rs/ExchangeRateWebApp/ExchangeRate/IndexByDate';

type Line = string[];
const EUR: Line = ['EUR', '978', 'EMU', '1', '117,3433'];
const HUF: Line = ['HUF', '348', 'Mađarska', '100', '32,2833'];
const HEADINGS: Line = ['OZNAKA VALUTE', 'ŠIFRA VALUTE', 'ZEMLJA', 'VAŽI ZA', 'SREDNJI KURS'];

/** A part of a page, as the bank's application sends it. */
const pageOf = (
  day: string,
  lines: Line[],
  { type = 'ZA ZVANIČNI SREDNJI KURS DINARA', formed = 'FORMIRANA NA DAN' } = {},
) =>
  [
    ...['KURSNA LISTA BR. 153', type, `${formed} ${day} GODINE`].map(
      (text) => `<center><h6>${text}</h6></center>`,
    ),
    '<table><tbody>',
    ...[HEADINGS, ...lines].map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`),
    '</tbody></table><p>Vrednost SPV (XDR): 144,12345</p>',
  ].join('\n');

const read = (days: string, answer: Answer | Answer[]) => readFeed(feed, days, { [PLACE]: answer });

test('the middle rate in dinars for one unit', async () => {
  const { rows, requests } = await read('2026-08-14..2026-08-14', pageOf('14.8.2026.', [EUR, HUF]));
  expect(rows).toEqual([
    ['2026-08-14', 'EUR', 'RSD', 117.3433],
    ['2026-08-14', 'HUF', 'RSD', 0.322833],
  ]);
  expect(Object.fromEntries(requests[0]?.query ?? [])).toEqual({
    isSearchExecuted: 'true',
    Date: '14.8.2026.',
    ExchangeRateListTypeID: '3',
    lang: 'lat',
  });
});

test('headings may be in Cyrillic letters, and currencies may have ended', async () => {
  const page = pageOf('14.8.2026.', [EUR, ['HRK', '191', 'Хрватска', '1', '15,5741']], {
    type: 'ЗА ЗВАНИЧНИ СРЕДЊИ КУРС ДИНАРА',
    formed: '&#x424;&#x41E;&#x420;&#x41C;&#x418;&#x420;&#x410;&#x41D;&#x410; НА ДАН',
  });
  const { rows, dropped } = await read('2026-08-14..2026-08-14', page);
  expect(rows).toEqual([['2026-08-14', 'EUR', 'RSD', 117.3433]]);
  expect(dropped).toEqual({ 'after-end': 1 });
});

test('a holiday is answered with the list before, and a weekend is not asked for', async () => {
  const { rows, requests } = await read('2026-08-14..2026-08-17', pageOf('14.8.2026.', [EUR]));
  expect(rows).toEqual([['2026-08-14', 'EUR', 'RSD', 117.3433]]);
  expect(requests.map(({ query }) => query.get('Date'))).toEqual(['14.8.2026.', '17.8.2026.']);
  expect((await read('2026-08-17..2026-08-17', pageOf('14.8.2026.', [EUR]))).rows).toEqual([]);
});

test('an old page says only the day asked for', async () => {
  const old = pageOf('1.11.2006.', [EUR], { formed: 'Na dan' });
  const { rows, noData } = await read('2006-11-01..2006-11-01', old);
  expect([rows, noData]).toEqual([[], ['an old page, which does not say the day of its list']]);
  await expect(read('2011-01-03..2011-01-03', old)).rejects.toThrow(/no heading h6 with the day/);
  await expect(read('2006-11-01..2006-11-01', blockedPage)).rejects.toThrow(/no heading h6 with the day/);
});

test.each<[string, Answer, RegExp]>([
  ['a blocked page', blockedPage, /no heading h6 with the day/],
  ['a status', { status: 500 }, /status 500/],
  ['half a page', pageOf('14.8.2026.', [EUR]).slice(0, -70), /cut short/],
  ['a list of a later day', pageOf('17.8.2026.', [EUR]), /2026-08-17, which is after/],
  ['a list of a year before', pageOf('14.8.2025.', [EUR]), /other days than asked for/],
  ['an impossible day', pageOf('31.9.2026.', [EUR]), /not a date/],
  ['a list of banknotes', pageOf('14.8.2026.', [EUR], { type: 'ZA EFEKTIVU' }), /it is another list/],
  ['a list of buying and selling', pageOf('14.8.2026.', [[...EUR, '118,0000']]), /a line is not code/],
  ['a line without a code', pageOf('14.8.2026.', [['', ...EUR.slice(1)]]), /a line is not code/],
  ['a line without units', pageOf('14.8.2026.', [EUR.with(3, '')]), /a line is not code/],
  ['other units', pageOf('14.8.2026.', [EUR.with(3, '250')]), /a line is not code/],
  ['a line without a rate', pageOf('14.8.2026.', [EUR, HUF.with(4, '')]), /a line is not code/],
  ['a decimal point', pageOf('14.8.2026.', [EUR.with(4, '117.3433')]), /not a number/],
  ['no line', pageOf('14.8.2026.', []), /no records that hold a rate/],
  ['no table', pageOf('14.8.2026.', [EUR]).replace(/<table>.*<\/table>/s, ''), /no table/],
])('%s is an error', async (_, answer, message) => {
  await expect(read('2026-08-14..2026-08-14', answer)).rejects.toThrow(message);
});
