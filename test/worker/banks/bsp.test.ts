import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/bsp.js';
import { type Answer, type Answers, blockedPage, makePdf, readFeed } from '../feeds/support.js';

const SITE = 'https://www.bsp.gov.ph';
const PATH = "/_api/web/lists/getByTitle('RERB')/items";
const LIST = `GET www.bsp.gov.ph${PATH}`;
const file = (title: string) => `/Lists/RERB/Attachments/1/${title}.pdf`;
const item = (Title: string, path: string | undefined = file(Title)) => ({
  Id: 1,
  Title,
  AttachmentFiles: { results: [{ FileName: 'x.pdf', ServerRelativeUrl: path }] },
});
const page = (items: object[], next?: string) =>
  JSON.stringify({ d: { results: items, ...(next !== undefined && { __next: next }) } });

/** The line wanted among its neighbours, its number a point lower than its label. */
const bulletin = (rate: string, label = 'BSP Reference Rate:', day = '28 May 2026') =>
  makePdf([
    { x: 250, y: 700, text: day },
    { x: 50, y: 260, text: 'BSP Selling Rate (T/T): PHP  61.850' },
    { x: 300, y: 260, text: 'SILVER BUYING: $ 75.80' },
    { x: 50, y: 248.4, text: label },
    { x: 150, y: 247.6, text: 'PHP' },
    { x: 180, y: 247.3, text: rate },
    { x: 50, y: 236, text: 'PDS Closing Rate (28-May-2026): PHP 61.595' },
  ]);

test("the bank's reference rate, from one bulletin a day, oldest first", async () => {
  const { rows, requests } = await readFeed(feed, '2026-05-27..2026-05-29', {
    [LIST]: page(
      [
        item('01Jun2026'),
        item(' 29May2026 '),
        item('29May2026', '/Lists/RERB/old.pdf'),
        item('Holiday notice'),
        { Title: '27May2026', AttachmentFiles: { results: [] } },
        item('28May2026'),
        item('26May2026'),
      ],
      `${SITE}${PATH}?page=2`,
    ),
    [`GET ${file(' 29May2026 ')}`]: bulletin('61.600', undefined, '29 May 2026'),
    [`GET ${file('28May2026')}`]: bulletin('1,061.550'),
  });
  expect(rows).toEqual([
    ['2026-05-28', 'USD', 'PHP', 1061.55],
    ['2026-05-29', 'USD', 'PHP', 61.6],
  ]);
  expect(requests).toHaveLength(3);
  expect(requests[0]?.headers.accept).toBe('application/json;odata=verbose');
  expect(requests[0]?.query.get('$top')).toBe('100');
});

test('the list is read on until it is older than the window', async () => {
  const { rows, requests } = await readFeed(feed, '2026-05-28..2026-05-28', {
    [LIST]: [
      page([item('01Jun2026')], `${SITE}${PATH}?%24skiptoken=Paged%3dTRUE%26p_ID%3d2184`),
      page([item('28May2026')]),
    ],
    [`GET ${file('28May2026')}`]: bulletin('61.550'),
  });
  expect(rows).toEqual([['2026-05-28', 'USD', 'PHP', 61.55]]);
  expect(requests[1]?.query.get('$skiptoken')).toBe('Paged=TRUE&p_ID=2184');
});

test.each([
  ['4Sept2018', '4 September 2018', '2018-09-04'],
  ['04Sep2018', '4 September 2018', '2018-09-04'],
  ['12June2018', '12 June 2018', '2018-06-12'],
])('a bulletin with the title %s', async (title, day, date) => {
  const { rows } = await readFeed(
    feed,
    `${date}..${date}`,
    {
      [LIST]: page([item(title)]),
      [`GET ${file(title)}`]: bulletin('53.475', undefined, day),
    },
    { today: '2026-05-28' },
  );
  expect(rows).toEqual([[date, 'USD', 'PHP', 53.475]]);
});

test('no items, a bulletin without text, and a rate of zero', async () => {
  const none = readFeed(feed, '2026-05-27..2026-05-27', { [LIST]: page([], `${SITE}${PATH}?page=2`) });
  await expect(none).rejects.toThrow(/lists no bulletin/);
  for (const pdf of [bulletin('0.000')]) {
    const answers = { [LIST]: page([item('28May2026')]), [`GET ${file('28May2026')}`]: pdf };
    expect((await readFeed(feed, '2026-05-28..2026-05-28', answers)).rows).toEqual([]);
  }
});

const one = (pdf: Answer): Answers => ({
  [LIST]: page([item('28May2026')]),
  [`GET ${file('28May2026')}`]: pdf,
});
test.each([
  ['a blocked page for the list', { [LIST]: blockedPage }, /HTML page/],
  ['another list', { [LIST]: '{"value":[]}' }, /documented form at d/],
  ['a next page elsewhere', { [LIST]: page([item('01Jun2026')], 'https://example.org/') }, /__next/],
  ['a bulletin elsewhere', { [LIST]: page([item('28May2026', '@example.org/x.pdf')]) }, /lists no bulletin/],
  ['a blocked page for a bulletin', one(blockedPage), /no PDF/],
  ['the bulletin of another day', one(bulletin('61.55', undefined, '29 May 2026')), /of 2026-05-29, not of/],
  ['a bulletin without its date', one(bulletin('61.55', undefined, '')), /no date/],
  ['a bulletin without the line', one(bulletin('61.55', 'Reference:')), /no line "BSP Reference Rate"/],
])('%s is an error', async (_, answers: Answers, message) => {
  await expect(readFeed(feed, '2026-05-28..2026-05-28', answers)).rejects.toThrow(message);
});

test('a misprinted bulletin costs itself, and so does a title that is no day', async () => {
  const { rows, dropped, unread } = await readFeed(feed, '2026-05-27..2026-05-29', {
    [LIST]: page([item('29May2026'), item('28May2026'), item('31Jun2026'), item('26May2026')]),
    [`GET ${file('29May2026')}`]: bulletin('61.600', undefined, '9 May 2026'),
    [`GET ${file('28May2026')}`]: bulletin('61.550'),
  });
  expect(rows).toEqual([['2026-05-28', 'USD', 'PHP', 61.55]]);
  expect(unread).toEqual([expect.stringMatching(/^2026-05-29..2026-05-29 .*bulletin of 2026-05-09/)]);
  expect(dropped).toEqual({ malformed: 1 });
});
