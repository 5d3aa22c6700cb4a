import { feed } from '../../../worker/banks/cbvs.js';
import { casesOf, makePdf } from './cases.js';

const PAGE = 'GET www.cbvs.sr/statistieken/financiele-markten-statistieken/dagelijkse-publicaties';
const FOLDER = '/images/content/publicaties/Wisselkoersen';
const at = (file: string) => `GET www.cbvs.sr${FOLDER}/${file}`;
/** The files are named as their links are, with blanks as the page has them. */
const pageOf = (...files: string[]) =>
  `<!DOCTYPE html><html><body><table>${files
    .map((file) => `<tr><td><a href="${FOLDER}/${file.replaceAll(' ', '%20')}">x</a></td></tr>`)
    .join('')}</table></body></html>`;
const ofDay = (day: string, time = '15.00') => `2026/DO${day} ${time} uur.pdf`;

type Piece = { x: number; y: number; text: string };
/** A label, then buying and selling for transfers and for notes; an empty text where there is none. */
type Row = [label: string, ...figures: string[]];
const usd = (...figures: string[]): Row => ['U.S. DOLLAR (USD)', ...figures];
const USD = usd('37,747', '37,949', '37,343', '37,390');
const EUR: Row = ['EURO (EUR)', '43,341', '44,120', '43,242', '43,525'];
const LABELS = ['GELDSOORT', 'AANKOOP*', 'VERKOOP*', 'AANKOOP*', 'VERKOOP*'];

/** A page as the bank's spreadsheet prints it. */
function fixing(
  rows: Row[],
  moment = '07 SEPTEMBER 2026 VASTGESTELD OMSTREEKS 15:00U EN GELDIG TOT NADER ORDER',
  { title = 'WISSELKOERSNOTERINGEN IN SRD', over = ['WISSELS, CHEQUES', 'BANKPAPIER'], labels = LABELS } = {},
): Piece[] {
  const line = (y: number, xs: number[], texts: string[]) =>
    texts.flatMap((text, index) => (text === '' ? [] : [{ x: xs[index] ?? 0, y, text }]));
  return [
    ...line(840, [232], [title]),
    ...line(829, [114], [moment]),
    ...line(803, [327, 503], over),
    ...line(792, [328], ['EN OVERMAKINGEN']),
    ...line(759, [59, 319, 411, 484, 548], labels),
    ...rows.flatMap((row, index) => line(725 - 22 * index, [59, 338, 430, 503, 567], row)),
    ...line(400, [59], ['N.B. Bovenstaande koersen betreffen de gewogen gemiddelde']),
    ...line(393, [135, 185], ['Geldig op:', '05-09-2026']),
    ...line(348, [176, 185, 324], ['5', 'gram', '53.871,76']),
  ];
}

const FILE = ofDay('260907');
const printed = (...page: Piece[]) => ({ [PAGE]: pageOf(FILE), [at(FILE)]: makePdf(page) });
const { reads, nothing, refuses } = casesOf(feed, '2026-09-07..2026-09-07', undefined, {
  today: '2026-09-09',
});
reads('the middle for transfers, for one or a hundred units', {
  given: printed(
    ...fixing([
      USD,
      EUR,
      ['GUYANA DOLLAR (GYD PER 100 )', '17,936', '18,288', '17,744', '18,096'],
      ['CHINESE YUAN RENMINBI (PER CNY)', '5,625', '5,735', '5,564', '5,675'],
      ['EASTERN CARIBBEAN DOLLAR (XCD', '13,981', '14,255', '13,831', '14,105'],
      ['BARBADOS DOLLAR (BBD)', '', '18,973', '18,409', '18,773'],
      ['NEVERLAND DOLLAR (ZZZ)', '1,000', '1,100', '1,000', '1,100'],
      ['PESO', '1,000', '1,100', '1,000', '1,100'],
      usd('', '39,000'),
    ]),
  ),
  rates: ['2026-09-07 USD/SRD 37.848, EUR/SRD 43.7305, GYD/SRD 0.18112, CNY/SRD 5.68, XCD/SRD 14.118'],
  sides: ['2026-09-07 GYD/SRD 0.17936 0.18288'],
  skipped: { 'no rate': 1, 'unknown name': 2 },
  asks: [[], `${FOLDER}/${FILE}`],
});
reads('the day that the page prints counts, not that of its name', {
  days: '2026-09-07..2026-09-08',
  given: printed(...fixing([USD], '08 SEPTEMBER 2026 VASTGESTELD OMSTREEKS 15:00U')),
  rates: ['2026-09-08 USD/SRD 37.848'],
});

const noon = ofDay('260908', '12.30');
const week = {
  [PAGE]: pageOf(
    ofDay('260908', '10.00'),
    noon,
    '2026/DO260907 10.00 uur.pdf',
    '2026/DO260907 12.30 uu.pdf',
    '2026/DO260904.pdf',
    '2026/DO261399 15.00 uur.pdf',
    '2026/Toelichting.pdf',
  ),
  [at('2026/DO260907 12.30 uu.pdf')]: makePdf(fixing([USD])),
  [at('2026/DO260904.pdf')]: makePdf(fixing([EUR, USD], '04 SEPTEMBER 2026 EN TOT NADER ORDER')),
  [at(noon)]: makePdf(fixing([USD], '8 SEPTEMBER 2026')),
};
reads('of a past day the latest file is read, and of today the last fixing alone', {
  days: '2026-09-04..2026-09-08',
  today: '2026-09-08',
  given: week,
  rates: ['2026-09-07 USD/SRD 37.848', '2026-09-04 EUR/SRD 43.7305, USD/SRD 37.848'],
});
reads('today has no rates before its last fixing', {
  days: '2026-09-08..2026-09-08',
  today: '2026-09-08',
  given: week,
  noData: ['no last fixing is linked for the window'],
});
reads('of yesterday the latest fixing is read', { given: week, rates: ['2026-09-08 USD/SRD 37.848'] });

const on = (moment: string, price: string, title?: string) =>
  fixing([usd(price, price, '1,000', '1,000')], moment, title === undefined ? {} : { title });
const january = '2024/Maandoverzichten_2024/WK_JANUARI_2024.pdf';
const february = '2024/Maandoverzichten_2024/NL/WisselkoersnoteringfFebruari2024.pdf';
reads('months and years are files of many pages, of which the latest of a day counts', {
  today: '2024-03-02',
  given: {
    [PAGE]: pageOf(
      january,
      february,
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
      fixing([['EURO (EUR)', '', '40,000']], undefined, { labels: ['GELDSOORT', '', 'VERKOOP*'] }),
      on('21 NOVEMBER 2023 VASTGESTELD OMSTREEKS 9:00U', '39,000'),
    ),
    [at(january)]: makePdf(on('02 JANUARI 2024 12:30U', '36,000')),
    [at(february)]: makePdf(on('01 FEBRUARI 2024 12:30U', '35,000')),
  },
  rates: [
    '2022-12-30 USD/SRD 31',
    '2023-11-20 USD/SRD 38',
    '2023-11-21 USD/SRD 39',
    '2024-01-02 USD/SRD 36',
    '2024-02-01 USD/SRD 35',
  ],
  skipped: {
    'an earlier fixing of the day': 2,
    'a page without the table: gold, another language, a scan': 3,
    'no rate for more than two weeks': 394,
  },
  count: 5,
});
reads('in 2013 decimals stand behind a dot', {
  given: {
    [PAGE]: pageOf('2013/jaar_2013.pdf', FILE),
    [at('2013/jaar_2013.pdf')]: makePdf(fixing([usd('3.250', '3.350', '3.250', '3.350')], '02 JANUARI 2013')),
  },
  rates: ['2013-01-02 USD/SRD 3.3'],
});
nothing('no last fixing is linked for the window', printed(), '2026-09-01..2026-09-01');
const laidOut = (form: Parameters<typeof fixing>[2]) => printed(...fixing([USD], undefined, form));
refuses([
  ['a list of other hosts', { [PAGE]: pageOf('x').replace(FOLDER, `//x.example${FOLDER}`) }, /links no file/],
  ['a past month without a file', printed(), /links no file of 2026-08/, '2026-08-31..2026-08-31'],
  ['no date', printed(...fixing([USD], 'VASTGESTELD OMSTREEKS 15:00U')), /page 1: no date/],
  ['exchanged columns', laidOut({ labels: LABELS.with(1, 'VERKOOP').with(2, 'AANKOOP') }), /columns/],
  ['notes before transfers', laidOut({ over: ['BANKPAPIER', 'WISSELS'] }), /columns are not/],
  ['a page without a table', laidOut({ title: 'EXCHANGE RATES IN SRD' }), /0 of 1 records/],
  ['a table without the dollar', printed(...fixing([EUR])), /a table without USD/],
  ['a thousand for a rate', printed(...fixing([usd('37.747', '37,949')])), /0 of 1 records/],
]);
