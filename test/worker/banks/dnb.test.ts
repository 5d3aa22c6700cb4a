import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/dnb.js';
import { blockedPage, readFeed } from '../feeds/support.js';

const PLACE = 'POST api.statbank.dk/v1/data';
const LIST = 'GET api.statbank.dk/v1/tableinfo/DNVALD';
const refused = { status: 400, body: '{"errorTypeCode":"EXTRACT-NOTFOUND","message":"Tid"}' };
const list = (...values: string[]) =>
  JSON.stringify({
    id: 'DNVALD',
    variables: [
      { id: 'KURTYP', text: 'exchange rate type', values: ['KBH'] },
      { id: 'Tid', text: 'time', time: true, values },
    ],
  });
/** The days that a request asks for. */
const time = ({ body }: { body: string }) => JSON.parse(body).variables[2];
const csv = (...lines: string[]) => ['\ufeffVALUTA;KURTYP;TID;INDHOLD', ...lines, ''].join('\r\n');
const DAYS = '2025-12-30..2026-01-02';

test('kroner for one unit, and a request that names every variable', async () => {
  const { rows, requests } = await readFeed(feed, DAYS, {
    [PLACE]: csv(
      'IDR;KBH;2026M01D02;0.0391',
      'BGN;KBH;2025M12D30;381.8800',
      'USD;KBH;2025M12D30;744.92',
      'BGN;KBH;2026M01D02;..',
    ),
  });
  expect(rows).toEqual([
    ['2026-01-02', 'IDR', 'DKK', 0.000391],
    ['2025-12-30', 'BGN', 'DKK', 3.8188],
    ['2025-12-30', 'USD', 'DKK', 7.4492],
  ]);
  const asked = JSON.parse(requests[0]?.body ?? '');
  expect(asked).toMatchObject({ table: 'DNVALD', format: 'BULK', valuePresentation: 'Code' });
  expect(asked.variables[0].values).toHaveLength(44);
  // Today may not be in the table yet: a last day would be refused.
  expect(asked.variables[2]).toEqual({ code: 'Tid', values: ['>=2025M12D30'] });
  expect(requests).toHaveLength(1);
});

test('days after the window come too and are left out', async () => {
  const { rows, skipped } = await readFeed(
    feed,
    '2025-12-30..2025-12-31',
    { [PLACE]: csv('USD;KBH;2025M12D30;744.92', 'USD;KBH;2026M02D02;744.92') },
    { today: '2026-02-03' },
  );
  expect([rows, skipped]).toEqual([[['2025-12-30', 'USD', 'DKK', 7.4492]], {}]);
});

test('a first day that the table lacks is refused, and its next day asked for', async () => {
  const { rows, requests } = await readFeed(feed, '2025-12-25..2025-12-30', {
    [PLACE]: [refused, csv('USD;KBH;2025M12D29;744.92')],
    [LIST]: list('2025M12D23', '2025M12D30', '2025M12D29'),
  });
  expect(rows).toEqual([['2025-12-29', 'USD', 'DKK', 7.4492]]);
  expect(requests[1]?.query.toString()).toBe('lang=en');
  expect(requests[2] && time(requests[2])).toEqual({ code: 'Tid', values: ['>=2025M12D29'] });
});

test.each([
  ['days to come', list('2025M12D23')],
  ['a weekend', list('2025M12D23', '2026M01D02')],
])('a window without a day of the table is no data: %s', async (_, days) => {
  const read = await readFeed(feed, '2025-12-25..2025-12-28', { [PLACE]: refused, [LIST]: days });
  expect(read).toMatchObject({ rows: [], noData: ['the table has no day of these'] });
});

test('nothing is asked for before the first day', async () => {
  expect((await readFeed(feed, '1976-12-01..1977-01-02', {})).requests).toEqual([]);
  const { requests } = await readFeed(feed, '1977-01-01..2026-01-02', { [PLACE]: csv() });
  expect(requests[0]?.body).toContain('>=1977M01D03');
});

test('dots, blanks and a header alone give no rows', async () => {
  const { rows, dropped } = await readFeed(feed, DAYS, {
    [PLACE]: csv('BGN;KBH;2026M01D02;..', 'USD;KBH;2026M01D02;', 'USD;KBH;2026M01D02;0'),
  });
  expect([rows, dropped]).toEqual([[], {}]);
  expect((await readFeed(feed, DAYS, { [PLACE]: csv() })).rows).toEqual([]);
});

test.each([
  ['a blocked page', blockedPage, /HTML page/],
  ['another header', 'CURRENCY;TYPE;TIME;VALUE\nUSD;KBH;2026M01D02;744\n', /VALUTA/],
  ['an error in JSON', '{"errorTypeCode":"EXTRACT-NOTFOUND"}', /its last line does not end/],
  [
    'a file cut between two lines',
    csv('USD;KBH;2026M01D02;744', 'EUR;KBH;2026M01D02;746', 'USD;KBH;2025M12D30;744'),
    /1 lines of 2025M12D30, and 2 of another day: cut short/,
  ],
  ['a value that is no number', csv('USD;KBH;2026M01D02;x'), /not a number/],
])('%s is an error', async (_, answer, message) => {
  await expect(readFeed(feed, DAYS, { [PLACE]: answer })).rejects.toThrow(message);
});

test.each([
  ['a day of the table that is refused', list('2025M12D30'), /responded with status 400/],
  ['a list without days', list(), /lists no days under Tid/],
  ['a table without time', '{"variables":[{"id":"KURTYP","values":["KBH"]}]}', /lists no days under Tid/],
  ['a list in another form', '{"variables":[{"id":"Tid"}]}', /values/],
  ['days in another form', list('2025-12-30'), /not a date/],
  ['a blocked page for the list', blockedPage, /HTML page/],
])('%s is an error', async (_, days, message) => {
  await expect(readFeed(feed, DAYS, { [PLACE]: refused, [LIST]: days })).rejects.toThrow(message);
});
