import { feed } from '../../../worker/banks/bcp.js';
import { casesOf, htmlRow, type SeenRequest } from './cases.js';

const TITLES: Readonly<Record<string, string>> = {
  ...{ USD: 'DOLAR AMERICANO', EUR: 'EURO', GBP: 'LIBRA ESTERLINA', JPY: 'YEN JAPONES', CHF: 'FRANCO SUIZO' },
  ...{ CAD: 'DOLAR CANADIENSE', AUD: 'DOLAR AUSTRALIANO', CNY: 'YUAN CHINO', BRL: 'REAL BRASILERO' },
  ...{ ARS: 'PESO ARGENTINO', CLP: 'PESO CHILENO', MXN: 'PESO MEXICANO', UYU: 'PESO URUGUAYO' },
  ...{ COP: 'PESO COLOMBIANO', BOB: 'BOLIVIAN BOLIVIANO', NZD: 'DOLAR NEOZELANDES', ZAR: 'RAND SUDAFRICANO' },
  ...{ SEK: 'CORONA SUECA', DKK: 'CORONA DANESA', NOK: 'CORONA NORUEGA', AED: 'UAE DIRHAM' },
  ...{ PEN: 'PERUVIAN NUEVO SOL', SGD: 'SINGAPORE DOLLAR', TWD: 'NEW TAIWAN DOLLAR', XAU: 'ORO' },
};
const MONTHS = 'ENE FEB MAR ABR MAY JUN JUL AGO SEP OCT NOV DIC'.split(' ');
const page = (title: string, days: string[][]) =>
  `<html><body><table id="cotizacion-interbancaria"><thead><tr><th colspan="5">PLANILLA DE COTIZACIONES DEL A&Ntilde;O ${title}</th></tr></thead></table>
  <table id="cotizacion-interbancaria"><tbody>${htmlRow(['#', ...MONTHS], 'th')}${days
    .map(([day, ...cells]) => htmlRow(cells).replace('<tr>', `<tr><th>${day}</th>`))
    .join('')}</tbody></table></body></html>`;
/** A day of the month with what stands under the months of these numbers. */
const day = (number: number, cells: Record<number, string> = {}) => [
  String(number),
  ...MONTHS.map((_, at) => cells[at + 1] ?? 'ND'),
];
const pages =
  (rates: Record<string, string[][]>) =>
  ({ query }: SeenRequest) => {
    const code = query.get('moneda') ?? '';
    return page(`${query.get('anho')} DE MONEDA ${TITLES[code]}`, rates[code] ?? [day(1)]);
  };
const PLACE = 'GET www.bcp.gov.py/webapps/web/cotizacion/monedas-historica';
const { reads, refuses } = casesOf(feed, '2024-06-03..2024-06-04', PLACE, { today: '2026-05-22' });
reads('guaraníes for one unit: days down, months across, gold per troy ounce', {
  days: '2024-02-01..2024-06-30',
  given: pages({
    USD: [
      day(3, { 2: '', 6: '7.529,85' }),
      day(4, { 2: '7.257,89', 6: '7.532,22' }),
      day(30, { 2: '9,99', 6: '*' }),
    ],
    XAU: [day(4, { 6: '17.527.777,23' })],
  }),
  rates: [
    '2024-06-03 USD/PYG 7529.85',
    '2024-02-04 USD/PYG 7257.89',
    '2024-06-04 USD/PYG 7532.22, XAU/PYG 17527777.23',
  ],
  dropped: { malformed: 2 },
  count: 25,
});
reads('a page for each year that the window touches; nothing but ND is no rates', {
  days: '2023-12-31..2024-01-01',
  given: pages({}),
  asks: [...Array<string>(25).fill('anho=2023'), ...Array<string>(25).fill('anho=2024')],
});
const dollars = (line: string[]) => page('2024 DE MONEDA DOLAR AMERICANO', [line]);
refuses([
  ['the page of another year', page('2023 DE MONEDA DOLAR AMERICANO', [day(1)]), /in 2024: ".*2023/],
  ['the page of another currency', page('2024 DE MONEDA EURO', [day(1)]), /MONEDA EURO/],
  ['a table of fewer months', dollars(['1', '1,0']), /1 of 12 records give a rate/],
]);
