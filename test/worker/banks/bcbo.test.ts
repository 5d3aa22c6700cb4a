import { feed } from '../../../worker/banks/bcbo.js';
import { casesOf, makeXls } from './cases.js';

const YEAR = 'GET www.bcb.gob.bo/tiposDeCambioHistorico/xls.php';
const DAY = 'GET www.bcb.gob.bo/librerias/indicadores/otras/otras_imprimir2XLS.php';
type Line = (string | number | null)[];
const titled = (date: string, ...lines: Line[]) =>
  makeXls({ Tabla: [['TABLA No. 128-26'], [`TABLA DE COTIZACIONES DEL ${date}`], ...lines] });
const ufv: Line = ['BOLIVIA (UFV)', 'UNIDAD DE FOMENTO DE VIVIENDA', 'Bs/UFV', 3.30658];
const sofr: Line = ['SOFR (Secured Overnight Financing Rate)*', null, null, null, 0.0353];
const usd = (rate: number | string): Line => ['ESTADOS UNIDOS', 'DOLAR', 'USD', rate];
const { reads, refuses } = casesOf(feed, '2026-07-13..2026-07-13');
reads('the sheet of a day, one request for each weekday', {
  given: {
    [DAY]: [
      titled('10 DE JULIO      DE 2026', usd(10.39)),
      titled(
        '13 DE JULIO      DE 2026',
        ['Pais / Concepto', 'Moneda', 'Codigo', 'Tipo de Cambio Oficial (TCO) (Bs/USD)'],
        usd(10.4),
        ['ARGENTINA', 'PESO', 'ARS', 0.00699, 1487.7201],
        ['SUIZA', 'FRANCO', 'CHF', null, 0.8086],
        ufv,
        ['ORO', 'ONZA TROY ORO', null, 4098.7],
        ['PLATA', 'ONZA TROY PLATA', null, 59.5427],
        ['BOLIVIA', 'DERECHO ESPECIAL DE GIRO', null, 1.35949],
        sofr,
      ),
    ],
  },
  rates: [
    '2026-07-10 USD/BOB 10.39',
    '2026-07-13 USD/BOB 10.4, ARS/BOB 0.00699, XAU/USD 4098.7, XAG/USD 59.5427, XDR/USD 1.35949',
  ],
  asks: ['qdd=10&qmm=7&qaa=2026', 'qdd=13&qmm=7&qaa=2026'],
});
reads('the layout until June 2026, by its marks', {
  given: {
    [DAY]: titled(
      '3 DE MARZO DE 2008',
      ['ESTADOS UNIDOS', 'DOLAR', null, 'USD.VENTA', 7.57],
      ['ESTADOS UNIDOS', 'DOLAR', null, 'USD.COMPRA', '7.47'],
      ['ECUADOR', 'DOLAR', null, 'USD', 7.57],
      ['JAPON', 'YEN', null, 'JPY', 0.07262, 103.1],
      ['CHILE', 'PESO', null, 'CLP', '-'],
      ['ORO', 'ONZA TROY', null, 'USD./O.T.F.', '1,974.50'],
      ['PLATA', 'ONZA TROY', null, 'USD./O.T.F.', 19.8],
      ['F.M.I.', 'D.E.G.', null, 'USD/D.E.G.', 12.2, 1.61],
      ['BOLIVIA', 'UFV', null, 'Bs/UFV', 1.31],
    ),
  },
  rates: ['2008-03-03 USD/BOB 7.52, JPY/BOB 0.07262, XAU/USD 1974.5, XAG/USD 19.8, XDR/USD 1.61'],
});

const MONTHS =
  'ENERO FEBRERO MARZO ABRIL MAYO JUNIO JULIO AGOSTO SEPTIEMBRE OCTUBRE NOVIEMBRE DICIEMBRE'.split(' ');
const year = (...days: Line[]) =>
  makeXls({
    'COTIZACIONES OFICIALES 2007': [
      ['AÑO 2007'],
      ['DIAS', ...MONTHS.flatMap((month) => [month, null])],
      [null, ...MONTHS.flatMap(() => ['VENTA', 'COMPRA'])],
      ...days,
      ['PROM', '8,02', '7,92', '8,01', '7,91'],
    ],
  });
const december: Line = [31, ...Array<null>(22).fill(null), 7.67, 7.57];
reads('a window over the end of 2007 is read from the year and from the days', {
  days: '2007-02-28..2008-01-01',
  given: {
    [YEAR]: year([28, 8.03, 7.93, 7.99, 7.89], [30, null, null, 7.99, 7.89, 7.98, 0], december),
    [DAY]: titled('1 DE ENERO DE 2008', ufv, sofr),
  },
  rates: ['2007-02-28 USD/BOB 7.94', '2007-12-31 USD/BOB 7.62'],
  asks: ['anio=2007', 'qdd=1&qmm=1&qaa=2008'],
});
reads('a sheet of another day costs itself', {
  days: '2026-07-10..2026-07-13',
  given: { [DAY]: [titled('3 DE JULIO DE 2026', usd(10.39)), titled('13 DE JULIO DE 2026', usd(10.4))] },
  rates: ['2026-07-13 USD/BOB 10.4'],
  unread: [/^2026-07-10..2026-07-10 .*the sheet of 3 DE JULIO DE 2026/],
});

const today = (line: Line) => ({ [DAY]: titled('13 DE JULIO DE 2026', line) });
const oldYear = { [YEAR]: makeXls({ A: [['DIAS', 'ENERO']] }) };
refuses([
  ['a third layout', today(['ESTADOS UNIDOS', 10.4]), /0 of 1 records give a rate/],
  ['another year', oldYear, /VENTA and COMPRA/, '2007-01-01..2007-01-02'],
]);
