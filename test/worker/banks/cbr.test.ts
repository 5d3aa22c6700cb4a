import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/cbr.js';
import { type Answer, blockedPage, readFeed } from '../feeds/support.js';

const [LIST, SERIES, METALS] = ['XML_daily', 'XML_dynamic', 'xml_metall'].map(
  (name) => `GET /scripts/${name}.asp`,
) as [string, string, string];
const xml = (body: string): Answer => ({
  headers: { 'content-type': 'application/xml; charset=windows-1251' },
  body: Buffer.concat([
    Buffer.from('<?xml version="1.0" encoding="windows-1251"?>'),
    Buffer.from(body, 'latin1'),
  ]),
});
// "\xc8\xf0\xe0\xed" is the start of a Russian name in windows-1251.
const list = xml(
  '<ValCurs><Valute ID="R01300"><CharCode>IRR</CharCode><Name>\xc8\xf0\xe0\xed</Name></Valute></ValCurs>',
);
const series = (...records: string[]) => xml(`<ValCurs ID="R01300">${records.join('')}</ValCurs>`);
const noMetals = xml('<Metall/>');

test('roubles for one unit and for a troy ounce, without weekends', async () => {
  const { rows, requests } = await readFeed(feed, '2026-03-03..2026-03-08', {
    [LIST]: list,
    [SERIES]: series(
      '<Record Date="03.03.2026"><Nominal>1000000</Nominal><Value>58,8139</Value><VunitRate>5,88139E-05</VunitRate></Record>',
      '<Record Date="04.03.2026"><Nominal>100</Nominal><Value>1 234,50</Value></Record>',
      '<Record Date="07.03.2026"><Nominal>1</Nominal><Value>1</Value></Record>',
      '<Record Date="05.03.2026"><Nominal>1</Nominal><Value></Value></Record>',
    ),
    [METALS]: xml(
      '<Metall><Record Date="03.03.2026" Code="1"><Buy>12957,47</Buy></Record><Record Date="03.03.2026" Code="9"><Buy>1</Buy></Record></Metall>',
    ),
  });
  expect(rows).toEqual([
    ['2026-03-03', 'IRR', 'RUB', 5.88139e-5],
    ['2026-03-04', 'IRR', 'RUB', 12.345],
    ['2026-03-03', 'XAU', 'RUB', 403022.367532],
  ]);
  expect(Object.fromEntries(requests[1]?.query ?? [])).toEqual({
    date_req1: '03/03/2026',
    date_req2: '08/03/2026',
    VAL_NM_RQ: 'R01300',
  });
});

test('series without records are an empty window', async () => {
  const { rows } = await readFeed(feed, '2026-03-01..2026-03-02', {
    [LIST]: list,
    [SERIES]: series(),
    [METALS]: noMetals,
  });
  expect(rows).toEqual([]);
});

test.each([
  ['a blocked page', { [LIST]: blockedPage }, /HTML page/],
  ['an empty list', { [LIST]: xml('<ValCurs/>') }, /empty/],
  ['another root', { [LIST]: list, [SERIES]: xml('<Error/>') }, /the root is Error, not ValCurs/],
  [
    'an unreadable value',
    {
      [LIST]: list,
      [SERIES]: series(
        '<Record Date="03.03.2026"><Nominal>1</Nominal><Value>1</Value><VunitRate>x</VunitRate></Record>',
      ),
    },
    /not a number/,
  ],
  [
    'an unreadable date',
    {
      [LIST]: list,
      [SERIES]: series(
        '<Record Date="31.02.2026"><Nominal>1</Nominal><Value>1</Value><VunitRate>1</VunitRate></Record>',
      ),
    },
    /not a date/,
  ],
])('%s is an error', async (_, answers, message) => {
  await expect(readFeed(feed, '2026-03-03..2026-03-08', answers)).rejects.toThrow(message);
});
