import { feed } from '../../../worker/banks/nbc.js';
import { type Answer, blockedPage, casesOf, htmlRow, type SeenRequest } from './cases.js';

const PATH = 'www.nbc.gov.kh/english/economic_research/exchange_rate.php';
const landing = (session: string) => ({
  headers: { 'set-cookie': `PHPSESSID=${session}; path=/` },
  body: '<form><input type="hidden" name="tk" value="72hr+QRfX/OM="/></form>',
});
const HEADINGS = ['Currency', 'Symbol', 'Unit', 'Bid', 'Ask', 'Average'];
const page = (day: string, dollar: string, ...rows: string[][]) => `<form><table>
  <tr><td>Exchange Rate on : <font color="#FF3300">${day}</font> </td></tr>
  <tr><td><br>Official Exchange Rate : <font color="#FF3300">${dollar}</font> KHR / USD</td></tr></table></form>
  <table class="tbl-responsive">${[HEADINGS, ...rows].map((row) => htmlRow(row.map((cell) => ` ${cell} `))).join('')}</table>`;
const yen = ['Japanese Yen', 'JPY/KHR', '100', '2529', '2554', '2541.50'];
const { reads, refuses } = casesOf(feed, '2026-05-20..2026-05-20', (answer: Answer) => ({
  [`GET ${PATH}`]: [landing('one'), landing('two')],
  [`POST ${PATH}`]: answer,
}));
reads('riels for one unit, by the unit of each row, and for the dollar', {
  given: page(
    '2026-05-20',
    '4022',
    yen,
    ['Viet Nam Dong', 'VND/KHR', '1000', '153', '154', '153.50'],
    ['Special Drawing Right', 'SDR/KHR', '1', '5500', '5551', '5,525.50'],
    ['Euro', 'EUR/KHR', '1', '', '', ''],
    ['Swedish Krona', 'SEK/KHR', '0', '1', '1', '1'],
  ),
  rates: ['2026-05-20 JPY/KHR 25.415, VND/KHR 0.1535, XDR/KHR 5525.5, USD/KHR 4022'],
  sides: ['2026-05-20 JPY/KHR 25.29 25.54', '2026-05-20 USD/KHR - -'],
  dropped: { malformed: 2 },
  asks: [
    [],
    [
      'exdate=2026-05-20&tk=72hr%2BQRfX%2FOM%3D&view=View & cookie: PHPSESSID=one',
      `referer: https://${PATH}`,
    ],
  ],
});
reads('blanks around the unit of the dollar do not matter', {
  given: page('2026-05-20', '4022', yen)
    .replace('Rate : <font', 'Rate :<font')
    .replace(' KHR / USD', 'KHR/USD'),
  rates: ['2026-05-20 JPY/KHR 25.415, USD/KHR 4022'],
});
const none = '<table><tr><td>There is no data available.</td></tr></table>';
reads('a session of its own for each day but Sunday; a day without data says so', {
  days: '2026-05-16..2026-05-18',
  given: ({ form }: SeenRequest) =>
    form.get('exdate') === '2026-05-18' ? page('2026-05-18', '4014', yen) : none,
  rates: ['2026-05-18 JPY/KHR 25.415, USD/KHR 4014'],
  asks: ['GET', 'POST & cookie: PHPSESSID=one', 'GET', 'POST & cookie: PHPSESSID=two'],
});
const today = (dollar: string, ...rows: string[][]) => page('2026-05-20', dollar, ...rows);
const NO_RATE = /0 of 1 records give a rate/;
refuses([
  ['a blocked page', blockedPage, /"Exchange Rate on" missing, not 2026-05-20/],
  ['another day', page('2026-05-25', '4022', yen), /"Exchange Rate on" 2026-05-25, not 2026-05-20/],
  ['a table without symbols', today('4022', yen.with(1, 'JPY')), NO_RATE],
  ['a page without the dollar', today('4022', yen).replace('KHR / USD', ''), NO_RATE],
  ['a page without a number', today('', yen.with(5, '-')), NO_RATE],
]);
