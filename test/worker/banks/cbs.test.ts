import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/cbs.js';
import { blockedPage, makeXlsx, readFeed } from '../feeds/support.js';

const PAGE = 'GET cbs.gov.ws/daily-exchange-rates';
const PATH = '/media/Historical Daily Rates-220626.XLSX';
const page = `<a href="/media/report.pdf">Report</a> <a class='x' href='${PATH}'>Historical</a>`;
const read = (days: string, sheets: Parameters<typeof makeXlsx>[0]) =>
  readFeed(feed, days, { [PAGE]: page, [`GET ${PATH}`]: makeXlsx(sheets) });
const header = [null, 'DATE', 'TALA/USD', 'TALA/YEN', 'REMARKS', 'TALA/CNH'];

test('what one tala costs, month under month', async () => {
  const { rows } = await read('2026-01-12..2026-02-12', {
    '2026': [
      [null, 'JANUARY'],
      header,
      [null, 46034, 0.35933, 57.83624, 7, 2.52573],
      [null, 46035, 'n/a', 0, null, null, null, 46035],
      [null, 'FEBRUARY '],
      [null, 'Date', 'TALA/CNH', 'Tala/Usd'],
      // The twelfth of February, dated January.
      [null, 46034, 0.1, 0.37157],
      [null, 46062, 2.5, 0.37],
      [null, 12, 1, 1],
      [null, 'Sept qtr avg', 0.37],
    ],
  });
  expect(rows).toEqual([
    ['2026-01-12', 'WST', 'USD', 0.35933],
    ['2026-01-12', 'WST', 'JPY', 57.83624],
    ['2026-01-12', 'WST', 'CNH', 2.52573],
    ['2026-02-09', 'WST', 'CNH', 2.5],
    ['2026-02-09', 'WST', 'USD', 0.37],
  ]);
});

test('the labels of 2009 to 2012 mean the same, and the dates count, not the names of sheets', async () => {
  const labels = ['DATE', 'US/TALA', 'NZ/TALA', 'AUS/TALA', 'EUR/TALA', 'YEN/TALA'];
  const { rows } = await read('2009-01-05..2009-01-05', {
    '2011': [
      [null, 'JANUARY'],
      [null, ...labels],
      [null, 39818, 0.34554, 0.6, 0.5, 0.25, 32],
    ],
  });
  expect(rows.map(([date, base, quote, rate]) => `${date} ${base} ${quote} ${rate}`)).toEqual([
    '2009-01-05 WST USD 0.34554',
    '2009-01-05 WST NZD 0.6',
    '2009-01-05 WST AUD 0.5',
    '2009-01-05 WST EUR 0.25',
    '2009-01-05 WST JPY 32',
  ]);
});

test('a window without days is empty', async () => {
  const sheets = { '2026': [[null, 'JANUARY'], header, [null, 46034, 0.35933]] };
  expect((await read('2026-01-17..2026-01-18', sheets)).rows).toEqual([]);
});

test.each([
  ['a page without a workbook', { [PAGE]: blockedPage }, /none of its 0 links/],
  ...['http://169.254.169.254/a.xlsx', '//127.0.0.1/a.xlsx', '/\\127.0.0.1/a.xlsx', 'file:///a.xlsx'].map(
    (link): [string, Record<string, string>, RegExp] => [
      `a workbook at ${link}`,
      { [PAGE]: `<a href="${link}">Historical</a>` },
      /none of its 1 links/,
    ],
  ),
  ['a page for the workbook', { [PAGE]: page, [`GET ${PATH}`]: blockedPage }, /no workbook/],
  [
    'labels that are not known',
    { [PAGE]: page, [`GET ${PATH}`]: makeXlsx({ A: [[null, 'DATE', 'USD']] }) },
    /no records that hold a rate/,
  ],
  [
    'days without a head',
    { [PAGE]: page, [`GET ${PATH}`]: makeXlsx({ A: [[null, 46034, 0.4]] }) },
    /no records that hold a rate/,
  ],
])('%s is an error', async (_, answers, message) => {
  await expect(readFeed(feed, '2026-01-12..2026-01-13', answers)).rejects.toThrow(message);
});
