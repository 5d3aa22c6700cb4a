import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/cbvs.js';
import { type Answer, blockedPage, makePdf, readFeed } from '../feeds/support.js';

const PAGE = 'GET www.cbvs.sr/statistieken/financiele-markten-statistieken/dagelijkse-publicaties';
const FOLDER = '/images/content/publicaties/Wisselkoersen';
const at = (file: string) => `GET www.cbvs.sr${FOLDER}/${file}`;
/** The files are named as their links are, with blanks as the page has them. */
const pageOf = (...files: string[]) =>
  `<!DOCTYPE html><html><body><table>${files
    .map(
      (file) => `<tr><td><a href="${FOLDER}/${file.replaceAll(' ', '%20')}" target="_blank">x</a></td></tr>`,
    )
    .join('')}</table></body></html>`;
const ofDay = (day: string, time = '15.00') => `2026/DO${day} ${time} uur.pdf`;

type Piece = { x: number; y: number; text: string };
/** A label, then buying and selling for transfers and for notes; an empty text where there is none. */
type Row = [label: string, ...figures: string[]];
const FIGURES = [338, 430, 503, 567];
const USD: Row = ['U.S. DOLLAR (USD)', '37,747', '37,949', '37,343', '37,390'];
const EUR: Row = ['EURO (EUR)', '43,341', '44,120', '43,242', '43,525'];

/** A page as the bank's spreadsheet prints it. */
function fixing(
  rows: Row[],
  {
    title = 'WISSELKOERSNOTERINGEN IN SRD',
    moment = '07 SEPTEMBER 2026 VASTGESTELD OMSTREEKS 15:00U EN GELDIG TOT NADER ORDER',
    over = ['WISSELS, CHEQUES', 'BANKPAPIER'],
    labels = ['GELDSOORT', 'AANKOOP*', 'VERKOOP*', 'AANKOOP*', 'VERKOOP*'],
  } = {},
): Piece[] {
  const line = (y: number, xs: number[], texts: string[]) =>
    texts.flatMap((text, index) => (text === '' ? [] : [{ x: xs[index] ?? 0, y, text }]));
  return [
    ...line(840, [232], [title]),
    ...line(829, [114], [moment]),
    ...line(803, [327, 503], over),
    ...line(792, [328], ['EN OVERMAKINGEN']),
    ...line(759, [59, 319, 411, 484, 548], labels),
    ...rows.flatMap((row, index) => line(725 - 22 * index, [59, ...FIGURES], row)),
    ...line(400, [59], ['N.B. Bovenstaande koersen betreffen de gewogen gemiddelde']),
    ...line(393, [135, 185], ['Geldig op:', '05-09-2026']),
    ...line(348, [176, 185, 324], ['5', 'gram', '53.871,76']),
  ];
}

const read = (pages: Piece[][], days = '2026-09-07..2026-09-07', today = '2026-09-09') =>
  readFeed(
    feed,
    days,
    { [PAGE]: pageOf(ofDay('260907')), [at(ofDay('260907'))]: makePdf(...pages) },
    { today },
  );

test('the middle for transfers, for one or a hundred units', async () => {
  const { rows, skipped, requests } = await read([
    fixing([
      USD,
      EUR,
      ['GUYANA DOLLAR (GYD PER 100 )', '17,936', '18,288', '17,744', '18,096'],
      ['CHINESE YUAN RENMINBI (PER CNY)', '5,625', '5,735', '5,564', '5,675'],
      ['EASTERN CARIBBEAN DOLLAR (XCD', '13,981', '14,255', '13,831', '14,105'],
      ['BARBADOS DOLLAR (BBD)', '', '18,973', '18,409', '18,773'],
      ['NEVERLAND DOLLAR (ZZZ)', '1,000', '1,100', '1,000', '1,100'],
      ['PESO', '1,000', '1,100', '1,000', '1,100'],
      ['U.S. DOLLAR (USD)', '', '39,000'],
    ]),
  ]);
  expect(rows).toEqual([
    ['2026-09-07', 'USD', 'SRD', 37.848],
    ['2026-09-07', 'EUR', 'SRD', 43.7305],
    ['2026-09-07', 'GYD', 'SRD', 0.18112],
    ['2026-09-07', 'CNY', 'SRD', 5.68],
    ['2026-09-07', 'XCD', 'SRD', 14.118],
  ]);
  expect(skipped).toEqual({ 'no rate': 1, 'unknown name': 2 });
  expect(requests.map(({ path }) => path).at(-1)).toBe(`${FOLDER}/${ofDay('260907')}`);
});

test('the day that the page prints counts, not that of its name', async () => {
  const printed = { moment: '08 SEPTEMBER 2026 VASTGESTELD OMSTREEKS 15:00U' };
  const { rows } = await read([fixing([USD], printed)], '2026-09-07..2026-09-08');
  expect(rows).toEqual([['2026-09-08', 'USD', 'SRD', 37.848]]);
});

test('of a past day the latest file is read, and of today the last fixing alone', async () => {
  const answers = {
    [PAGE]: pageOf(
      ofDay('260908', '10.00'),
      ofDay('260908', '12.30'),
      '2026/DO260907 10.00 uur.pdf',
      '2026/DO260907 12.30 uu.pdf',
      '2026/DO260904.pdf',
      '2026/DO261399 15.00 uur.pdf',
      '2026/Toelichting.pdf',
    ),
    [at('2026/DO260907 12.30 uu.pdf')]: makePdf(fixing([USD])),
    [at('2026/DO260904.pdf')]: makePdf(
      fixing([EUR, USD], { moment: '04 SEPTEMBER 2026 EN TOT NADER ORDER' }),
    ),
  };
  const { rows } = await readFeed(feed, '2026-09-04..2026-09-08', answers);
  expect(rows).toEqual([
    ['2026-09-07', 'USD', 'SRD', 37.848],
    ['2026-09-04', 'EUR', 'SRD', 43.7305],
    ['2026-09-04', 'USD', 'SRD', 37.848],
  ]);
  expect((await readFeed(feed, '2026-09-08..2026-09-08', answers)).noData).toEqual([
    'no last fixing is linked for the window',
  ]);
  const later = {
    ...answers,
    [at(ofDay('260908', '12.30'))]: makePdf(fixing([USD], { moment: '8 SEPTEMBER 2026' })),
  };
  expect((await readFeed(feed, '2026-09-08..2026-09-08', later, { today: '2026-09-09' })).rows).toHaveLength(
    1,
  );
});

test('months and years are files of many pages, of which the latest of a day counts', async () => {
  const on = (moment: string, usd: string, title?: string) =>
    fixing([['U.S. DOLLAR (USD)', usd, usd, '1,000', '1,000']], {
      moment,
      ...(title !== undefined && { title }),
    });
  const { rows, skipped, requests } = await readFeed(
    feed,
    '2022-12-30..2024-02-01',
    {
      [PAGE]: pageOf(
        '2024/Maandoverzichten_2024/WK_JANUARI_2024.pdf',
        '2024/Maandoverzichten_2024/NL/WisselkoersnoteringfFebruari2024.pdf',
        '2023/Jaar_2023_WK.pdf',
        '2022/\tMaandoverzichten2022/Jaar_2022.pdf',
        ofDay('240301'),
      ),
      [at('2022/Maandoverzichten2022/Jaar_2022.pdf')]: makePdf(on('30 DECEMBER 2022 12.30:00U', '31,000')),
      [at('2023/Jaar_2023_WK.pdf')]: makePdf(
        on('20 NOVEMBER 2023 VASTGESTELD OMSTREEKS 15:00U', '38,500'),
        on('20 NOVEMBER 2023 VASTGESTELD OMSTREEKS 15:00U', '38,000'),
        on('20 NOVEMBER 2023 VASTGESTELD OMSTREEKS 12.30:00U', '37,000'),
        on('20 NOVEMBER 2023', '36,000', 'EXCHANGE RATES IN SRD'),
        [],
        fixing([['EURO (EUR)', '', '40,000']], { labels: ['GELDSOORT', '', 'VERKOOP*'] }),
        on('21 NOVEMBER 2023 VASTGESTELD OMSTREEKS 9:00U', '39,000'),
      ),
      [at('2024/Maandoverzichten_2024/WK_JANUARI_2024.pdf')]: makePdf(on('02 JANUARI 2024 12:30U', '36,000')),
      [at('2024/Maandoverzichten_2024/NL/WisselkoersnoteringfFebruari2024.pdf')]: makePdf(
        on('01 FEBRUARI 2024 12:30U', '35,000'),
      ),
    },
    { today: '2024-03-02' },
  );
  expect(rows).toEqual([
    ['2022-12-30', 'USD', 'SRD', 31],
    ['2023-11-20', 'USD', 'SRD', 38],
    ['2023-11-21', 'USD', 'SRD', 39],
    ['2024-01-02', 'USD', 'SRD', 36],
    ['2024-02-01', 'USD', 'SRD', 35],
  ]);
  expect(skipped).toMatchObject({
    'an earlier fixing of the day': 2,
    'a page without the table: gold, another language, a scan': 3,
  });
  expect(requests).toHaveLength(5);
});

test('in 2013 decimals stand behind a dot', async () => {
  const pages = [
    fixing([['U.S. DOLLAR (USD)', '3.250', '3.350', '3.250', '3.350']], { moment: '02 JANUARI 2013' }),
  ];
  const { rows } = await readFeed(feed, '2013-01-02..2013-01-02', {
    [PAGE]: pageOf('2013/jaar_2013.pdf', ofDay('260907')),
    [at('2013/jaar_2013.pdf')]: makePdf(...pages),
  });
  expect(rows).toEqual([['2013-01-02', 'USD', 'SRD', 3.3]]);
});

test('a day without a file is a holiday', async () => {
  const { rows, noData } = await read([fixing([USD])], '2026-09-01..2026-09-01');
  expect([rows, noData]).toEqual([[], ['no last fixing is linked for the window']]);
});

test.each<[string, Answer, Answer, string, RegExp]>([
  ['a page for the list', blockedPage, '', '2026-09-07', /links no file of a day/],
  [
    'a list of other hosts',
    pageOf('x').replace(FOLDER, `//x.example${FOLDER}`),
    '',
    '2026-09-07',
    /links no file/,
  ],
  ['a past month without a file', pageOf(ofDay('260907')), '', '2026-08-31', /links no file of 2026-08/],
  ['a past year without a file', pageOf(ofDay('260907')), '', '2012-05-02', /links no file of 2012-05/],
  ['a page for the PDF', pageOf(ofDay('260907')), blockedPage, '2026-09-07', /no PDF/],
  ['a PDF that has gone', pageOf(ofDay('260907')), { status: 404 }, '2026-09-07', /status 404/],
])('%s is an error', async (_, page, pdf, day, message) => {
  const answers = { [PAGE]: page, [at(ofDay('260907'))]: pdf };
  await expect(readFeed(feed, `${day}..${day}`, answers, { today: '2026-09-09' })).rejects.toThrow(message);
});

const LABELS = ['GELDSOORT', 'AANKOOP*', 'VERKOOP*', 'AANKOOP*', 'VERKOOP*'];
test.each<[string, Piece[], RegExp]>([
  ['no date', fixing([USD], { moment: 'VASTGESTELD OMSTREEKS 15:00U' }), /page 1: no date/],
  ['an impossible date', fixing([USD], { moment: '31 SEPTEMBER 2026' }), /not a date/],
  ['a month of no name', fixing([USD], { moment: '07 XSEPTEMBER 2026' }), /not a date/],
  ['a day of another year', fixing([USD], { moment: '07 SEPTEMBER 2025' }), /other days than asked/],
  [
    'buying and selling exchanged',
    fixing([USD], { labels: LABELS.with(1, 'VERKOOP').with(2, 'AANKOOP') }),
    /columns/,
  ],
  ['three columns', fixing([USD], { labels: LABELS.slice(0, 4) }), /columns are not/],
  ['no first heading', fixing([USD], { labels: LABELS.with(0, 'VALUTA') }), /columns are not/],
  ['notes before transfers', fixing([USD], { over: ['BANKPAPIER', 'WISSELS'] }), /columns are not/],
  ['no transfers', fixing([USD], { over: ['', 'BANKPAPIER'] }), /columns are not/],
  ['no dollar', fixing([EUR]), /a table without USD/],
  ['no figures', fixing([['U.S. DOLLAR (USD)']]), /no records that hold a rate/],
  ['figures of another form', fixing([['U.S. DOLLAR (USD)', '37.74', '37.94']]), /0 of 1 records/],
  ['a thousand for a rate', fixing([['U.S. DOLLAR (USD)', '37.747', '37,949']]), /0 of 1 records/],
  ['no table', fixing([USD], { title: 'EXCHANGE RATES IN SRD' }), /0 of 1 records/],
])('a PDF with %s is an error', async (_, page, message) => {
  await expect(read([page])).rejects.toThrow(message);
});
