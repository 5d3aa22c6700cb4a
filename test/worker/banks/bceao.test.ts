import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/bceao.js';
import { blockedPage, readFeed } from '../feeds/support.js';

const PLACE = 'GET www.bceao.int/fr/cours/get_all_reference_by_date';
const heading = (day: string) => `<h2>Cours des devises du ${day}</h2>`;
const table = (...rows: [string, string][]) =>
  `<table><tbody><tr><th>Devise</th><th>CFA</th></tr>${rows
    .map(([name, value]) => `<tr>\n <td>${name}\n </td>\n <td>${value}</td></tr>`)
    .join('')}</tbody></table>`;
const monday = heading('lundi 16 mars 2026');

test('CFA francs for one unit, with the names as the bank spells them', async () => {
  const { rows, dropped } = await readFeed(feed, '2026-03-16..2026-03-16', {
    [PLACE]:
      monday +
      table(
        ['Dinar Koweitien', '1.953,0200'],
        ['Couronne suédoise', '59,4700'],
        ['Dollar n&eacute;o-z&eacute;landais', '347,1400'],
        ['Couronne thèque', '26.2200'],
        ['Won Coréen', '0,4034'],
        ['Baht thailandais', ''],
        ['Couronne atlante', '1,0000'],
      ),
  });
  expect(rows).toEqual([
    ['2026-03-16', 'KWD', 'XOF', 1953.02],
    ['2026-03-16', 'SEK', 'XOF', 59.47],
    ['2026-03-16', 'NZD', 'XOF', 347.14],
    ['2026-03-16', 'CZK', 'XOF', 26.22],
    ['2026-03-16', 'KRW', 'XOF', 0.4034],
  ]);
  expect(dropped).toEqual({ malformed: 1 });
});

test('every day but Saturday is asked for, and a closed one has its heading alone', async () => {
  const { rows, requests } = await readFeed(feed, '2026-03-20..2026-03-22', {
    [PLACE]: ({ query }) =>
      query.get('dateJour') === '2026-03-22'
        ? heading('dimanche 22 mars 2026') + table(['Ryal Saudien', '161,4000'])
        : heading('friday 20 mars 2026'),
  });
  expect(rows).toEqual([['2026-03-22', 'SAR', 'XOF', 161.4]]);
  expect(requests.map(({ query }) => query.get('dateJour'))).toEqual(['2026-03-20', '2026-03-22']);
});

test.each([
  ['a blocked page', blockedPage, /no heading/],
  ['another page in its place', { status: 302, headers: { location: '/' } }, /302/],
  [
    'the rates of another day',
    heading('vendredi 13 mars 2026') + table(['Euro', '655,957']),
    /of 2026-03-13/,
  ],
  ['a table of other names', monday + table(['Euros', '655,957']), /0 of 1 records give a rate/],
  ['a table without a number', monday + table(['Euro', 'EUR']), /0 of 1 records give a rate/],
])('%s is an error', async (_, answer, message) => {
  await expect(readFeed(feed, '2026-03-16..2026-03-16', { [PLACE]: answer })).rejects.toThrow(message);
});
