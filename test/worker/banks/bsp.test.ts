import { feed } from '../../../worker/banks/bsp.js';
import { type Answer, casesOf, makePdf } from './cases.js';

const PATH = "/_api/web/lists/getByTitle('RERB')/items";
const LIST = `GET www.bsp.gov.ph${PATH}`;
const NEXT = `https://www.bsp.gov.ph${PATH}?%24skiptoken=Paged%3dTRUE%26p_ID%3d2184`;
const file = (title: string) => `/Lists/RERB/Attachments/1/${title}.pdf`;
const item = (Title: string, path: string | undefined = file(Title)) => ({
  ...{ Id: 1, Title },
  AttachmentFiles: { results: [{ FileName: 'x.pdf', ServerRelativeUrl: path }] },
});
const page = (items: object[], next?: string) =>
  JSON.stringify({ d: { results: items, ...(next !== undefined && { __next: next }) } });

/** The line wanted among its neighbours, its number a point lower than its label. */
const bulletin = (rate: string, day = '28 May 2026', label = 'BSP Reference Rate:') =>
  makePdf([
    { x: 250, y: 700, text: day },
    { x: 50, y: 272, text: 'BSP Buying Rate (T/T):  PHP  61.350     GOLD BUYING:   $ 4,495.00' },
    { x: 50, y: 260, text: 'BSP Selling Rate (T/T): PHP  61.850' },
    { x: 300, y: 260, text: 'SILVER BUYING: $ 75.80' },
    { x: 50, y: 248.4, text: label },
    { x: 150, y: 247.6, text: 'PHP' },
    { x: 180, y: 247.3, text: rate },
    { x: 50, y: 236, text: 'PDS Closing Rate (28-May-2026): PHP 61.595' },
  ]);
const { reads, empty, refuses } = casesOf(feed, '2026-05-28..2026-05-28', undefined, { today: '2026-05-29' });
reads("the bank's reference rate, from one bulletin a day, oldest first", {
  days: '2026-05-27..2026-05-29',
  given: {
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
      NEXT,
    ),
    [`GET ${file(' 29May2026 ')}`]: bulletin('61.600', '29 May 2026'),
    [`GET ${file('28May2026')}`]: bulletin('1,061.550'),
  },
  rates: ['2026-05-28 USD/PHP 1061.55', '2026-05-29 USD/PHP 61.6'],
  sides: ['2026-05-29 USD/PHP 61.35 61.85'],
  count: 3,
  asks: ['accept: application/json;odata=verbose & $top=100'],
});
reads('the list is read on until it is older than the window', {
  given: {
    [LIST]: [page([item('01Jun2026')], NEXT), page([item('28May2026')])],
    [`GET ${file('28May2026')}`]: bulletin('61.550'),
  },
  rates: ['2026-05-28 USD/PHP 61.55'],
  asks: [[], '$skiptoken=Paged=TRUE&p_ID=2184', []],
});
reads('titles of other forms', {
  given: {
    [LIST]: page(['4Sept2018', '12June2018', '11June2018'].map((title) => item(title))),
    [`GET ${file('4Sept2018')}`]: bulletin('53.475', '4 September 2018'),
    [`GET ${file('12June2018')}`]: bulletin('53', '12 June 2018'),
  },
  days: '2018-06-12..2018-09-04',
  rates: ['2018-06-12 USD/PHP 53', '2018-09-04 USD/PHP 53.475'],
});

const one = (pdf: Answer) => ({ [LIST]: page([item('28May2026')]), [`GET ${file('28May2026')}`]: pdf });
empty('a rate of zero is none', one(bulletin('0.000')));
reads('a misprinted bulletin costs itself, and so does a title that is no day', {
  days: '2026-05-27..2026-05-29',
  given: {
    ...one(bulletin('61.550')),
    [LIST]: page([item('29May2026'), item('28May2026'), item('31Jun2026'), item('26May2026')]),
    [`GET ${file('29May2026')}`]: bulletin('61.600', '9 May 2026'),
  },
  rates: ['2026-05-28 USD/PHP 61.55'],
  unread: [/^2026-05-29..2026-05-29 .*bulletin of 2026-05-09/],
  dropped: { malformed: 1 },
});
refuses([
  ['an empty list', { [LIST]: page([], NEXT) }, /lists no bulletin/],
  ['another list', { [LIST]: '{"value":[]}' }, /documented form at d/],
  ['a next page elsewhere', { [LIST]: page([item('01Jun2026')], 'https://example.org/') }, /__next/],
  ['a bulletin elsewhere', { [LIST]: page([item('28May2026', '@example.org/x.pdf')]) }, /lists no bulletin/],
  ['a bulletin without its date', one(bulletin('61.55', '')), /no date/],
  ['no line of the rate', one(bulletin('61.55', undefined, 'Reference:')), /no line "BSP Reference Rate"/],
]);
