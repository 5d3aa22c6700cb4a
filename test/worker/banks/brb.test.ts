import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/brb.js';
import { blockedPage, makePdf, readFeed } from '../feeds/support.js';

const LIST = 'GET www.brb.bi/en/affichagetoustauxchange';
const path = (day: string) => `/sites/default/files/2026-05/Cours de change du ${day}.pdf`;
const page = (...days: string[]) =>
  `<ul>${days.map((day) => `<li><a href="${path(day).replaceAll(' ', '%20')}">${day}</a></li>`).join('')}</ul><a href="?page=1">2</a>`;
const bulletin = (...rows: string[][]) => bulletinOf('22 MAI 2026', ...rows);
const bulletinOf = (day: string, ...rows: string[][]) =>
  makePdf([
    { x: 54, y: 700, text: `EN DATE DU ${day}` },
    ...rows.flatMap((cells, index) =>
      cells.map((text, at) => ({ x: 54 + 100 * at, y: 600 - 15 * index, text })),
    ),
  ]);

test('the middle of three rates, whatever the decimal mark', async () => {
  const { rows } = await readFeed(feed, '2026-05-21..2026-05-22', {
    [LIST]: page('22-05-2026', '21-05-2026', '20-05-2026'),
    [`GET ${path('22-05-2026')}`]: bulletin(
      ['MONNAIES', 'Acheteur', 'Cours moyen jour', 'Vendeur'],
      ['1 Dollar USA', '2975.4082', '2990.3600', '3005.3118'],
      ['1 Shilling Kenyan*', '23.0', '23.1', '23.2'],
      ['1 Livre Maltaise', '1.0', '1.1', '1.2'],
      ['1 DTS', '0', '0.0000', '0'],
    ),
    [`GET ${path('21-05-2026')}`]: bulletinOf('21 MAI 2026', [
      '1 Couronne Suédoise',
      '310,1',
      '311,5600',
      '313,0',
    ]),
  });
  expect(rows).toEqual([
    ['2026-05-22', 'USD', 'BIF', 2990.36],
    ['2026-05-22', 'KES', 'BIF', 23.1],
    ['2026-05-21', 'SEK', 'BIF', 311.56],
  ]);
});

test('turns pages back to the window, and an empty file is a day without rates', async () => {
  const { rows, requests } = await readFeed(feed, '2026-05-04..2026-05-05', {
    [LIST]: (request) =>
      request.query.has('page') ? page('05-05-2026', '04-05-2026', '30-04-2026') : page('22-05-2026'),
    [`GET ${path('05-05-2026')}`]: '',
    [`GET ${path('04-05-2026')}`]: bulletinOf('4 MAI 2026', ['1 Euro', '3400.1', '3410.2', '3420.3']),
  });
  expect(rows).toEqual([['2026-05-04', 'EUR', 'BIF', 3410.2]]);
  expect(requests.map(({ query }) => query.get('page'))).toEqual([null, '1', null, null]);
});

test('a window without bulletins is empty', async () => {
  const { rows } = await readFeed(feed, '2026-05-09..2026-05-10', {
    [LIST]: page('22-05-2026', '08-05-2026'),
  });
  expect(rows).toEqual([]);
});

test.each([
  [
    'a list without bulletins',
    { [LIST]: blockedPage },
    /lists no bulletin that earlier pages have not: blocked or redesigned/,
  ],
  [
    'a page in place of every bulletin',
    { [LIST]: page('22-05-2026', '20-05-2026'), [`GET ${path('22-05-2026')}`]: blockedPage },
    /blocked/,
  ],
  [
    'the bulletin of another day',
    { [LIST]: page('22-05-2026', '20-05-2026'), [`GET ${path('22-05-2026')}`]: bulletinOf('21 MAI 2026') },
    /"EN DATE DU" 2026-05-21, not 2026-05-22/,
  ],
  [
    'a bulletin without rows',
    { [LIST]: page('22-05-2026', '20-05-2026'), [`GET ${path('22-05-2026')}`]: bulletin() },
    /no records that hold a rate/,
  ],
  [
    'a number with two marks',
    {
      [LIST]: page('22-05-2026', '20-05-2026'),
      [`GET ${path('22-05-2026')}`]: bulletin(['1 Euro', '1', '2,990.3', '3']),
    },
    /not a number/,
  ],
])('%s is an error', async (_, answers, message) => {
  await expect(readFeed(feed, '2026-05-21..2026-05-22', answers)).rejects.toThrow(message);
});

test('a misprinted bulletin and a dead link cost themselves, a link without a day is counted', async () => {
  const days = ['22-05-2026', '21-05-2026', '20-05-2026', '32-05-2026', '18-05-2026'];
  const { rows, dropped, unread } = await readFeed(feed, '2026-05-20..2026-05-22', {
    [LIST]: page(...days),
    [`GET ${path('22-05-2026')}`]: bulletin(['1 Euro', '3400.1', '3410.2', '3420.3']),
    [`GET ${path('21-05-2026')}`]: bulletinOf('12 MAI 2026', ['1 Euro', '3400.1', '3410.2', '3420.3']),
  });
  expect(rows).toEqual([['2026-05-22', 'EUR', 'BIF', 3410.2]]);
  expect(unread).toEqual([
    expect.stringMatching(/^2026-05-21..2026-05-21 .*"EN DATE DU" 2026-05-12, not 2026-05-21/),
    expect.stringMatching(/^2026-05-20..2026-05-20 .*status 404/),
  ]);
  expect(dropped).toEqual({ malformed: 1 });
});
