import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/cbllr.js';
import { blockedPage, readFeed } from '../feeds/support.js';

const PLACE = 'GET www.cbl.org.lr/research/buying-selling-rates';
/** As the page prints it: Saturday, May 23, 2026. */
const spelled = (day: string) =>
  new Date(day).toLocaleDateString('en-US', {
    weekday: 'long',
    month: 'long',
    day: 'numeric',
    year: 'numeric',
    timeZone: 'UTC',
  });
const row = (day: string, buying: string, selling: string) => `<tr>
  <td class="views-field views-field-field-content-post-date"><div><time datetime="${day}T12:00:00Z">${spelled(day)}</time></div></td>
  <td class="views-field views-field-field-buying-us">${buying}   </td>
  <td class="views-field views-field-field-selling-us">${selling}   </td></tr>`;
const list = (last: number, ...rows: string[]) =>
  `<div class="view-content"><table><thead><tr><th>Date</th><th>Buying</th><th>Selling</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>
  <a href="?page=0">1</a><a href="?page=${last}" title="Go to last page">Last</a>`;
const priced = (day: string) => row(day, 'L$182.0819/US$1.00', 'L$183.9653/US$1.00');

test('the exact middle in Liberian dollars for a US dollar', async () => {
  const { rows, requests } = await readFeed(feed, '2026-05-15..2026-05-23', {
    [PLACE]: list(
      104,
      row('2026-05-23', 'L$181.5264/US$1.00', 'L$181.7600/US$1.00'),
      row('2026-05-22', 'L$ 182.1187 / US$1.00', 'L$184.0400/US$1.00'),
      row('2026-05-21', 'N/A', 'L$183.9653/US$1.00'),
      row('2026-05-20', 'L$0.00/US$1.00', 'L$183.9653/US$1.00'),
      row('2026-05-22', 'L$1.00/US$1.00', 'L$1.00/US$1.00'),
      priced('2026-05-15'),
    ),
  });
  expect(rows).toEqual([
    ['2026-05-23', 'USD', 'LRD', 181.6432],
    ['2026-05-22', 'USD', 'LRD', 183.07935],
    ['2026-05-15', 'USD', 'LRD', 183.0236],
  ]);
  expect(requests.map(({ query }) => query.toString())).toEqual(['']);
});

test('turns pages back to the first day, and stops behind the last page', async () => {
  const answers = {
    [PLACE]: [list(1, priced('2026-05-23')), list(1, priced('2026-05-10')), list(1)],
  };
  const { rows, requests } = await readFeed(feed, '2026-05-10..2026-05-23', answers);
  expect(rows.map(([date]) => date)).toEqual(['2026-05-23', '2026-05-10']);
  expect(requests.map(({ query }) => query.get('page'))).toEqual([null, '1']);
  expect((await readFeed(feed, '2012-07-05..2026-05-23', answers)).requests).toHaveLength(2);
});

test('a window in a gap is empty', async () => {
  const answers = { [PLACE]: list(1, priced('2026-05-23'), priced('2026-05-15')) };
  expect((await readFeed(feed, '2026-05-16..2026-05-17', answers)).rows).toEqual([]);
});

test.each([
  ['a blocked page', blockedPage, /no table \.view-content table on the page: blocked, moved or redesigned/],
  [
    'a blocked page in the middle of the list',
    [list(3, priced('2026-05-23')), blockedPage],
    /no table \.view-content table/,
  ],
  ['prices in another form', list(0, row('2026-05-23', '182.08', '183.96')), /0 of 1 records give a rate/],
])('%s is an error', async (_, answer, message) => {
  await expect(readFeed(feed, '2026-05-10..2026-05-23', { [PLACE]: answer })).rejects.toThrow(message);
});
