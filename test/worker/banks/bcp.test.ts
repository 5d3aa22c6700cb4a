import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/bcp.js';
import { blockedPage, readFeed, type SeenRequest } from '../feeds/support.js';

const PLACE = 'GET www.bcp.gov.py/webapps/web/cotizacion/monedas-historica';
const TITLES: Readonly<Record<string, string>> = {
  ...{ USD: 'DOLAR AMERICANO', EUR: 'EURO', GBP: 'LIBRA ESTERLINA', JPY: 'YEN JAPONES', CHF: 'FRANCO SUIZO' },
  ...{ CAD: 'DOLAR CANADIENSE', AUD: 'DOLAR AUSTRALIANO', CNY: 'YUAN CHINO', BRL: 'REAL BRASILERO' },
  ...{ ARS: 'PESO ARGENTINO', CLP: 'PESO CHILENO', MXN: 'PESO MEXICANO', UYU: 'PESO URUGUAYO' },
  ...{ COP: 'PESO COLOMBIANO', BOB: 'BOLIVIAN BOLIVIANO', NZD: 'DOLAR NEOZELANDES', ZAR: 'RAND SUDAFRICANO' },
  ...{ SEK: 'CORONA SUECA', DKK: 'CORONA DANESA', NOK: 'CORONA NORUEGA', AED: 'UAE DIRHAM' },
  ...{ PEN: 'PERUVIAN NUEVO SOL', SGD: 'SINGAPORE DOLLAR', TWD: 'NEW TAIWAN DOLLAR', XAU: 'ORO' },
};

const page = (title: string, days: string[][]) =>
  `<html><body><table id="cotizacion-interbancaria"><thead><tr><th colspan="5">PLANILLA DE COTIZACIONES DEL A&Ntilde;O ${title}</th></tr></thead></table>
  <table id="cotizacion-interbancaria"><tbody><tr><th>#</th>${'ENE FEB MAR ABR MAY JUN JUL AGO SEP OCT NOV DIC'.replace(/\w+ ?/g, '<th>$&</th>')}</tr>${days
    .map(([day, ...cells]) => `<tr><th>${day}</th>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`)
    .join('')}</tbody></table></body></html>`;

/** A day of the month with what stands under February and June. */
const day = (number: number, february: string, june = 'ND') => [
  String(number),
  ...['ND', february, 'ND', 'ND', 'ND', june, 'ND', 'ND', 'ND', 'ND', 'ND', 'ND'],
];

const pages = (rates: Record<string, string[][]>) => ({
  [PLACE]: ({ query }: SeenRequest) => {
    const code = query.get('moneda') ?? '';
    return page(`${query.get('anho')} DE MONEDA ${TITLES[code]}`, rates[code] ?? [day(1, 'ND')]);
  },
});

test('guaraníes for one unit: days down, months across, gold per troy ounce', async () => {
  const { rows, dropped, requests } = await readFeed(
    feed,
    '2024-02-01..2024-06-30',
    pages({
      USD: [day(3, '', '7.529,85'), day(4, '7.257,89', '7.532,22'), day(30, '9,99', '*')],
      XAU: [day(4, 'ND', '17.527.777,23')],
    }),
  );
  expect(rows).toEqual([
    ['2024-06-03', 'USD', 'PYG', 7529.85],
    ['2024-02-04', 'USD', 'PYG', 7257.89],
    ['2024-06-04', 'USD', 'PYG', 7532.22],
    ['2024-06-04', 'XAU', 'PYG', 17527777.23],
  ]);
  expect(dropped).toEqual({ malformed: 2 });
  expect(requests).toHaveLength(25);
});

test('a page for each year that the window touches; nothing but ND is no rates', async () => {
  const { rows, requests } = await readFeed(feed, '2023-12-31..2024-01-01', pages({}));
  expect(rows).toEqual([]);
  expect(requests.map(({ query }) => query.get('anho'))).toEqual([
    ...Array<string>(25).fill('2023'),
    ...Array<string>(25).fill('2024'),
  ]);
});

test.each([
  ['a blocked page', blockedPage, /title is not that of DOLAR AMERICANO in 2024/],
  ['the page of another year', page('2023 DE MONEDA DOLAR AMERICANO', [day(1, '1,0')]), /in 2024: ".*2023/],
  ['the page of another currency', page('2024 DE MONEDA EURO', [day(1, '1,0')]), /MONEDA EURO/],
  [
    'a table of fewer months',
    page('2024 DE MONEDA DOLAR AMERICANO', [['1', '1,0']]),
    /1 of 12 records give a rate/,
  ],
  [
    'numbers in another form',
    page('2024 DE MONEDA DOLAR AMERICANO', [day(1, '7,257.89')]),
    /0 of \d+ records give a rate/,
  ],
])('%s is an error', async (_, answer, message) => {
  await expect(readFeed(feed, '2024-06-03..2024-06-04', { [PLACE]: answer })).rejects.toThrow(message);
});
