import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/dnb.js';
import { blockedPage, readFeed } from '../feeds/support.js';

const PLACE = 'POST api.statbank.dk/v1/data';
const csv = (...lines: string[]) => ['\ufeffVALUTA;KURTYP;TID;INDHOLD', ...lines, ''].join('\r\n');
const DAYS = '2025-12-30..2026-01-02';

test('kroner for one unit, and a request that names every variable', async () => {
  const { rows, requests } = await readFeed(feed, DAYS, {
    [PLACE]: csv('IDR;KBH;2026M01D02;0.0391', 'BGN;KBH;2025M12D30;381.8800', 'USD;KBH;2025M12D30;744.92'),
  });
  expect(rows).toEqual([
    ['2026-01-02', 'IDR', 'DKK', 0.000391],
    ['2025-12-30', 'BGN', 'DKK', 3.8188],
    ['2025-12-30', 'USD', 'DKK', 7.4492],
  ]);
  const asked = JSON.parse(requests[0]?.body ?? '');
  expect(asked).toMatchObject({ table: 'DNVALD', format: 'BULK', valuePresentation: 'Code' });
  expect(asked.variables[0].values).toHaveLength(44);
  // A short window is made longer, so that it holds a business day.
  expect(asked.variables[2]).toEqual({ code: 'Tid', values: ['>=2025M12D23<=2026M01D02'] });
});

test('a long window is asked for as it is', async () => {
  const { requests } = await readFeed(feed, '1977-01-03..2026-01-02', { [PLACE]: csv() });
  expect(requests[0]?.body).toContain('>=1977M01D03<=2026M01D02');
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
  ['400', { status: 400, body: '{"errorTypeCode":"EXTRACT-NOTFOUND"}' }, /responded with status 400/],
  ['a value that is no number', csv('USD;KBH;2026M01D02;x'), /not a number/],
])('%s is an error', async (_, answer, message) => {
  await expect(readFeed(feed, DAYS, { [PLACE]: answer })).rejects.toThrow(message);
});
