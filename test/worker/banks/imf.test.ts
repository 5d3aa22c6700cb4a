import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/imf.js';
import { blockedPage, readFeed } from '../feeds/support.js';

const PLACE = 'GET www.imf.org/external/np/fin/data/rms_mth.aspx';
const TITLE = 'Representative Exchange Rates for Selected Currencies for March 2026';
const HEADER = 'Currency\tMarch 02, 2026\tMarch 03, 2026';
const reports =
  (representative: string[], sdr: string[] = sdrBeside(representative)) =>
  (request: { query: URLSearchParams }) =>
    [
      ...(request.query.get('reportType') === 'REP' ? representative : sdr),
      '',
      'Notes:',
      '',
      'These rates are expressed in terms of something.',
    ].join('\r\n');

/** A report with the same days. */
function sdrBeside(representative: string[]): string[] {
  const headings = representative.filter((line) => line.startsWith('Currency'));
  const dollar = (line: string) => line.replace('Currency', 'U.S. dollar').replace(/\t[^\t]*/g, '\t0.65');
  return ['SDRs per Currency unit for March 2026', ...headings.flatMap((line) => [line, dollar(line)])];
}

test('units per dollar, dollars per unit where the name is marked, and the dollar in SDR', async () => {
  const { rows, requests } = await readFeed(feed, '2026-03-02..2026-03-17', {
    [PLACE]: reports(
      [
        TITLE,
        HEADER,
        'Euro(1)\t1.169800\tNA',
        'Korean won\tNA\t1,435.400000',
        'U.S. dollar\t1.0\t1.0',
        'Atlantis crown\t2\t2',
        `${TITLE} Continued`,
        'Currency\tMarch 17, 2026',
        'Korean won\t1,440.1',
        'a note about these rates',
      ],
      ['SDRs per Currency unit for March 2026', HEADER, 'Euro\t0.85\t0.85', 'U.S. dollar\t0.729624\t'],
    ),
  });
  expect(rows).toEqual([
    ['2026-03-02', 'EUR', 'USD', 1.1698],
    ['2026-03-03', 'USD', 'KRW', 1435.4],
    ['2026-03-17', 'USD', 'KRW', 1440.1],
    ['2026-03-02', 'USD', 'XDR', 0.729624],
  ]);
  expect(requests.map(({ query }) => query.get('SelectDate'))).toEqual(['2026-03-31', '2026-03-31']);
});

test('a name that meant another currency keeps that one', async () => {
  const { rows } = await readFeed(feed, '2012-12-31..2013-01-01', {
    [PLACE]: reports([TITLE, 'Currency\tDecember 31, 2012\tJanuary 01, 2013', 'Zambian kwacha\t5180\t5.18']),
  });
  expect(rows.map(([date, , quote]) => [date, quote]).filter(([, quote]) => quote !== 'XDR')).toEqual([
    ['2012-12-31', 'ZMK'],
    ['2013-01-01', 'ZMW'],
  ]);
});

test('a title without a table is a month that has just begun, a month before the first is not asked for', async () => {
  expect((await readFeed(feed, '2026-03-01..2026-03-01', { [PLACE]: reports([TITLE]) })).rows).toEqual([]);
  expect((await readFeed(feed, '2003-01-01..2003-03-31', {})).requests).toEqual([]);
});

test.each([
  ['a month that is over', reports([TITLE]), /no line of headings/],
  ['lines of blanks', reports([TITLE, '\t\t', '\t\t']), /no line of headings/],
  ['days without a figure', reports([TITLE, HEADER, 'Euro(1)\t\t', 'Korean won\t\t']), /2 lines, and none/],
  ['marks alone', reports([TITLE, HEADER, 'Euro(1)\tNA\tNA']), /marks of "no rate" alone/],
])('a table that is empty all over is an error: %s', async (_, answer, message) => {
  const read = readFeed(feed, '2026-03-02..2026-03-03', { [PLACE]: answer }, { today: '2026-04-01' });
  await expect(read).rejects.toThrow(message);
});

test.each([
  ['a blocked page', blockedPage, /HTML page/],
  ['an empty body', '', /its first line is ""/],
  ['another text', 'Something else\r\n', /its first line is "Something else"/],
  [
    'one report where the other is meant',
    [TITLE, HEADER, 'Euro(1)\t1.1\t1.1', 'U.S. dollar\t1.0\t1.0', '', 'Notes:'].join('\r\n'),
    /its first line is "Representative .*, not SDRs per/,
  ],
  [
    'a table without the notes below it',
    [TITLE, HEADER, 'Euro(1)\t1.1\t1.1', ''].join('\r\n'),
    /no note "Notes:"/,
  ],
  ['dates in another form', reports([TITLE, 'Currency\t2026-03-02', 'Euro(1)\t1.1']), /not a date/],
])('%s is an error', async (_, answer, message) => {
  await expect(readFeed(feed, '2026-03-02..2026-03-03', { [PLACE]: answer })).rejects.toThrow(message);
});
