import { feed } from '../../../worker/banks/bcv.js';
import { type Answer, type Answers, casesOf, makeXls } from './cases.js';

const PAGE = 'GET www.bcv.org.ve/estadisticas/tipo-cambio-de-referencia-smc';
const FOLDER = '/sites/default/files/EstadisticasGeneral';
const at = (file: string) => `GET www.bcv.org.ve${FOLDER}/${file}`;
const pageOf = (...files: string[]) =>
  `<html><table><tbody>${files
    .map(
      (file) =>
        `<tr><td>Trimestre</td><td><a href="https://www.bcv.org.ve${FOLDER}/${file}" download="${file}"><img alt=""></a></td></tr>`,
    )
    .join('')}</tbody></table></html>`;

type Row = (string | number | null)[];
const OVER: Row = [null, null, null, '(a) Cotización M.E./US$', null, 'Bs./M.E.'];
const LABELS: Row = [null, null, 'Moneda/País', 'Compra (BID)', 'Venta (ASK)', 'Compra (BID)', 'Venta (ASK)'];
const EUR: Row = [null, 'EUR', 'Zona Euro', 1.16, 1.165, 951.5, 954.25];
const USD: Row = [null, 'USD', 'E.U.A.', 1, 1, 818, 820.125];
const usd = (bid: number | null, ask: number | string | null): Row => [null, 'USD', 'E.U.A.', 1, 1, bid, ask];

const sheetOf = (
  rows: Row[],
  value = 'Fecha Valor: 09/09/2026',
  { over = OVER, labels = LABELS } = {},
): Row[] => [
  [null, 'BANCO CENTRAL DE VENEZUELA'],
  [],
  [null, 'Fecha Operacion: 08/09/2026', null, value],
  [],
  over,
  labels,
  [],
  ...rows,
  [null, '(*) Tipo de Cambio de Referencia'],
];
const book = (sheets: Record<string, Row[]>) => makeXls(sheets);
/** The quarter's workbook. */
const quarter = (workbook: Answer): Answers => ({
  [PAGE]: pageOf('2_1_2c26_smc.xls', '2_1_2b26_smc.xls'),
  [at('2_1_2c26_smc.xls')]: workbook,
});
const { reads, empty, refuses } = casesOf(feed, '2026-09-09..2026-09-09');
reads('the ask in bolívares for one unit, of the day of value', {
  given: quarter(
    book({
      '08092026': sheetOf([
        EUR,
        USD,
        [null, 'MXP', 'Mexico', 17, 17.5, 48.25, 48.5],
        [null, 'CUC', 'Cuba', 1, 1, 818, 820.125],
        [null, 'ANG', 'Curazao', 1.74, 1.83, 469, 470.25],
        [null, 'INR', 'India', 94, 95, 8.5, null],
        [null, 'TRY', 'Turquia', 48, 48.5, 0, 0],
        [null, 'ZZZ', 'Nowhere', 1, 1, 1, 2],
      ]),
      '07092026': sheetOf([USD], 'Fecha Valor: 08/09/2026'),
      Notas: [['Nada']],
    }),
  ),
  rates: ['2026-09-09 EUR/VES 954.25, USD/VES 820.125, MXN/VES 48.5, ANG/VES 470.25'],
  sides: ['2026-09-09 EUR/VES 951.5 954.25'],
  skipped: {
    "the convertible peso, which ended before: the dollar's figure": 1,
    'no rate': 2,
    'unknown name': 1,
  },
  asks: ['page=0', `${FOLDER}/2_1_2c26_smc.xls`],
});
const pages: Record<string, Answer> = {
  0: pageOf('2_1_2a27_smc.xls'),
  1: pageOf('2_1_2d26_smc_60.xls', '2_1_2d26_smc.xls'),
};
reads('the first rates of a quarter stand in the file before, on a page further down', {
  days: '2027-01-04..2027-01-06',
  given: {
    [PAGE]: ({ query }) => pages[query.get('page') ?? ''] ?? pageOf(),
    [at('2_1_2d26_smc_60.xls')]: book({ A: sheetOf([USD], 'Fecha Valor: 04/01/2027') }),
    [at('2_1_2a27_smc.xls')]: book({ A: sheetOf([EUR], 'Fecha Valor: 05/01/2027') }),
  },
  rates: ['2027-01-04 USD/VES 820.125', '2027-01-05 EUR/VES 954.25'],
  count: 4,
});
empty('a file may be late', quarter(book({ A: sheetOf([USD]) })), '2026-10-02..2026-10-05');
empty('a later day is empty', quarter(book({ A: sheetOf([USD]) })), '2026-09-10..2026-09-11');
const sheet = (...given: Parameters<typeof sheetOf>) => quarter(book({ A: sheetOf(...given) }));
const laidOut = (form: Parameters<typeof sheetOf>[2]) => sheet([USD], undefined, form);
refuses([
  ['a list of other hosts', { [PAGE]: pageOf('x').replaceAll('bcv.org', 'elsewhere') }, /links no workbook/],
  ['a quarter that is missing', sheet([USD]), /from 2026-10-01 is not linked/, '2026-10-12..2026-10-16'],
  ['no earlier quarter', { [PAGE]: pageOf('2_1_2b26_smc.xls') }, /from 2026-07-01 is not linked/],
  ['a workbook that has gone', { [PAGE]: pageOf('2_1_2c26_smc.xls') }, /status 404/],
  ['a sheet without a day of value', sheet([USD], ''), /no Fecha Valor/],
  ['no ask', laidOut({ labels: LABELS.with(4, 'Venta').with(6, 'Venta') }), /no row/],
  ['prices in dollars alone', laidOut({ labels: LABELS.slice(0, 5) }), /over its last/],
  ['moved columns', laidOut({ over: OVER.with(3, 'Bs./M.E.').with(5, 'M.E./US$') }), /"M.E.\/US\$"/],
  ['a text for an ask', sheet([USD, EUR.with(6, '954.25')]), /"954.25" for the ask of EUR/],
  ['bid and ask exchanged', sheet([usd(820.125, 818)]), /above its ask/],
]);
