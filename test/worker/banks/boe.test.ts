import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/boe.js';
import { blockedPage, readFeed } from '../feeds/support.js';

const PLACE = 'GET www.bankofengland.co.uk/boeapps/database/_iadb-fromshowcolumns.asp';
const SERIES =
  'XUDLUSS,XUDLERS,XUDLJYS,XUDLCDS,XUDLSFS,XUDLADS,XUDLNDS,XUDLNKS,XUDLSKS,XUDLDKS,XUDLHDS,XUDLSGS,XUDLSRS,XUDLZRS,' +
  'XUDLTWS,XUDLBK25,XUDLBK33,XUDLBK47,XUDLBK78,XUDLBK83,XUDLBK87,XUDLBK89,XUDLBK93,XUDLBK95,XUDLBK97,XUDLZOS4';
const day = (date: string, ...values: string[]) =>
  [date, ...values, ...Array(26 - values.length).fill('')].join(',');
const table = (...days: string[]) => [`DATE,${SERIES}`, ...days, ''].join('\r\n');

test('what one pound costs, blanks and zeros left out', async () => {
  const { rows, requests } = await readFeed(feed, '2026-03-17..2026-03-18', {
    [PLACE]: table(
      day('9 Mar 2026', '1.3'),
      day('17 Mar 2026', '1.3343', '', '212.1937'),
      day('18 Mar 2026', '..', '0'),
    ),
  });
  expect(rows).toEqual([
    ['2026-03-17', 'GBP', 'USD', 1.3343],
    ['2026-03-17', 'GBP', 'JPY', 212.1937],
  ]);
  expect(requests[0]?.query.get('SeriesCodes')).toBe(SERIES);
  // A short window is widened backwards, so that it holds a business day.
  expect(requests[0]?.query.get('Datefrom')).toBe('08/Mar/2026');
  expect(requests[0]?.query.get('Dateto')).toBe('18/Mar/2026');
});

test('a header alone is an empty window', async () => {
  expect((await readFeed(feed, '2026-03-14..2026-03-15', { [PLACE]: table() })).rows).toEqual([]);
});

test('days without a single figure are no empty window', async () => {
  const blank = table(day('12 Mar 2026'), day('13 Mar 2026'));
  const read = readFeed(feed, '2026-03-12..2026-03-13', { [PLACE]: blank });
  await expect(read).rejects.toThrow(/2 lines, and none of them has a figure/);
  const partly = table(day('12 Mar 2026'), day('13 Mar 2026', '1.3343'));
  expect((await readFeed(feed, '2026-03-12..2026-03-13', { [PLACE]: partly })).rows).toHaveLength(1);
});

test.each([
  ['a blocked page', blockedPage, /HTML page/],
  ['a table without one of the series', `DATE,XUDLUSS\r\n17 Mar 2026,1.3\r\n`, /XUDLERS/],
  ['a value that is no number', table(day('17 Mar 2026', 'n/a')), /not a number/],
])('%s is an error', async (_, answer, message) => {
  await expect(readFeed(feed, '2026-03-17..2026-03-18', { [PLACE]: answer })).rejects.toThrow(message);
});
