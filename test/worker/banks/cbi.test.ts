import { feed } from '../../../worker/banks/cbi.js';
import { type Answer, casesOf, makeXlsx } from './cases.js';

const PATH = '/static/uploads/up/file-2.xlsx';
const page = `<a href="https://cbi.iq/static/uploads/up/file-1.xlsx">اسعار صرف الدينار تجاه الدولار</a>
  <a href="https://cbi.iq/gold.pdf">الذهب</a>
  <a href="https://cbi.iq${PATH}">أسعار صرف الدينار <b>والذهب</b> (بيع ، شراء)</a>`;
type Line = (string | number | null)[];
const title: Line = ['Daily Exchange Rate for Iraqi Dinar Per Major Currencies and Gold (buy, sell)'];
const [buy, sell, sell2] = ['  Buy      ID    ', ' Sell         ID      ', ' Sell         ID 2      '];
/** The layout of 2009 to 2024: two columns a currency. */
const pairs = (...days: Line[]): Line[] => [
  title,
  ['Date', 'الدولار', null, 'الفرنك', null, 'الذهب'],
  [null, 'USD', null, 'S.FR', null, 'Gold'],
  [2024, buy, sell, buy, sell, ' ID '],
  ...days,
];
/** The layout since 2025: three columns a currency, its name over any of them. */
const triples = (...days: Line[]): Line[] => [
  title,
  ['Date', 'الين  JPY', null, null, null, 'الروبية  INR', null, 'حقوق السحب SDR'],
  [2026, buy, sell, sell2, buy, sell, sell2, buy, sell, sell2],
  ...days,
];
const answers = (book: Answer, list: Answer = page) => ({
  'GET cbi.iq/page/144': list,
  [`GET ${PATH}`]: book,
});
type Given = Record<string, Line[]> | string;
const { reads, empty, refuses } = casesOf(feed, '2024-01-05..2024-01-06', (given: Given) =>
  typeof given === 'string' ? answers('', given) : answers(makeXlsx(given)),
);
reads('the middle of the two prices, in both layouts', {
  days: '2024-12-31..2026-01-03',
  given: {
    '2024': pairs(['Dec.2024'], [31, 1300, 1310, '1529.592', '1541.358 ', 2676539.71]),
    '2025 ': [],
    '2026': triples(
      [2026],
      [1, 'عطلة', null, null, 14.4],
      ['2', 5.286, 8.35, 8.42, 14.402, 14.512, 14.623, 1772.992, 1786.63, 1800.269],
      ['Average', 1, 1, 1, 1, 1],
      [3, 0, 8.35, null, 'x', 14.5],
    ),
    Notes: [['2', 1, 2]],
  },
  rates: [
    '2024-12-31 USD/IQD 1305, CHF/IQD 1535.475',
    '2026-01-02 JPY/IQD 6.818, INR/IQD 14.457, XDR/IQD 1779.811',
  ],
  sides: ['2024-12-31 CHF/IQD 1529.592 1541.358', '2026-01-02 INR/IQD 14.402 14.512'],
});
const metal = (name: string): Record<string, Line[]> => ({
  '2012': [
    title,
    ['Date', 'الدولار', null, 'الذهب'],
    [null, 'USD', null, name],
    [2012, buy, sell, buy, sell],
    ['Jan. 2012'],
    [1, 1164, 1166, 63_000, 64_000],
  ],
});
reads('gold, a pair until 2018, is not read', {
  days: '2012-01-01..2012-12-31',
  given: metal('  Gold '),
  rates: ['2012-01-01 USD/IQD 1165'],
});

/** Days of 2024 as the sheet has them, and as they are read. */
const dated = (name: string, lines: (number | string)[], days: string[]) =>
  reads(name, {
    days: '2024-01-01..2024-12-31',
    given: {
      '2024': pairs(
        ...lines.map((day): Line => (/^\d+$/.test(`${day}`) && Number(day) < 32 ? [day, 1300, 1310] : [day])),
      ),
    },
    rates: days.map((day) => `2024-${day} USD/IQD 1305`),
  });
dated(
  'months begin where the days begin anew, and at labels',
  [1, 31, 1, 29, 30, 1, 'Mar. 2024', 2, 45413, 1],
  ['01-01', '01-31', '02-01', '02-29', '03-01', '03-02', '05-01'],
);
dated(
  'months begin at their labels, however written',
  ['*Mar. 2024', '4', 'July  2024', 1, 'Mart closed', 2, 'Spet.2024', 1, 'sept.', 2],
  ['03-04', '07-01', '07-02', '09-01', '09-02'],
);
empty('a window without prices is empty', { '2024': pairs(['Jan. 2024'], [5], [6]) });
reads('an odd sheet costs itself', {
  days: '2024-12-31..2026-01-03',
  given: {
    '2024': [title, ['Date', 'USD'], [2024, 'Bid', 'Ask'], [31, 1300, 1310]],
    '2026': triples([2026], [2, 5.286, 8.35, 8.42]),
  },
  rates: ['2026-01-02 JPY/IQD 6.818'],
  unread: [/^2024-01-01..2024-12-31 .*the sheet 2024 has 0 columns Buy/],
});
const elsewhere = (link: string) =>
  [`a workbook at ${link}`, `<a href="${link}">الذهب</a>`, /none of its 1 links/] as const;
refuses([
  elsewhere('http://169.254.169.254/a.xlsx'),
  elsewhere('https://cbi.iq.example/a.xlsx'),
  elsewhere('https://cbi.iq@127.0.0.1/a.xlsx'),
  ['a workbook without years', { '2024': [], A: pairs() }, /named after a year/],
  ['a year without heads', { '2024': [title, [1, 1300, 1310]] }, /the sheet 2024/],
  ['a thirteenth month', { '2024': pairs(['Dec.2024'], [1], [2], [1]) }, /twelfth month/],
  ['another metal', metal('Silver'), /no currency above its column Buy 2/, '2012-01-01..2012-12-31'],
]);
