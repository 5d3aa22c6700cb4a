import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/bcv.js';
import { type Answer, blockedPage, makeXls, readFeed } from '../feeds/support.js';

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
const DAY: Row = [null, 'Fecha Operacion: 08/09/2026', null, 'Fecha Valor: 09/09/2026'];
const OVER: Row = [null, null, null, '(a) Cotización M.E./US$', null, 'Bs./M.E.'];
const LABELS: Row = [null, null, 'Moneda/País', 'Compra (BID)', 'Venta (ASK)', 'Compra (BID)', 'Venta (ASK)'];
const EUR: Row = [null, 'EUR', 'Zona Euro', 1.16, 1.165, 951.5, 954.25];
const USD: Row = [null, 'USD', 'E.U.A.', 1, 1, 818, 820.125];
const NOTE: Row = [null, '(*) Tipo de Cambio de Referencia'];

const sheetOf = (rows: Row[], { day = DAY, over = OVER, labels = LABELS } = {}): Row[] => [
  [null, 'BANCO CENTRAL DE VENEZUELA'],
  [],
  day,
  [],
  over,
  labels,
  [],
  ...rows,
  NOTE,
];
const ofDay = (day: string) => ({
  day: [null, `Fecha Operacion: ${day}`, null, `Fecha Valor: ${day}`] as Row,
});

/** The quarter's workbook of these sheets, for the days asked. */
const read = (sheets: Record<string, Row[]>, days = '2026-09-09..2026-09-09', today = '2026-09-09') =>
  readFeed(
    feed,
    days,
    { [PAGE]: pageOf('2_1_2c26_smc.xls', '2_1_2b26_smc.xls'), [at('2_1_2c26_smc.xls')]: makeXls(sheets) },
    { today },
  );

test('the ask in bolívares for one unit, of the day of value', async () => {
  const { rows, requests, skipped } = await read({
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
    '07092026': sheetOf([USD], ofDay('08/09/2026')),
    Notas: [['Nada']],
  });
  expect(rows).toEqual([
    ['2026-09-09', 'EUR', 'VES', 954.25],
    ['2026-09-09', 'USD', 'VES', 820.125],
    ['2026-09-09', 'MXN', 'VES', 48.5],
    ['2026-09-09', 'ANG', 'VES', 470.25],
  ]);
  expect(skipped).toEqual({
    "the convertible peso, which ended before: the dollar's figure": 1,
    'no rate': 2,
    'unknown name': 1,
  });
  expect(requests.map(({ path, query }) => path + query)).toEqual([
    '/estadisticas/tipo-cambio-de-referencia-smcpage=0',
    `${FOLDER}/2_1_2c26_smc.xls`,
  ]);
});

test('of two sheets of a day the first counts', async () => {
  const other = sheetOf([[null, 'USD', 'E.U.A.', 1, 1, 700, 701]]);
  const { rows, skipped } = await read({ A: sheetOf([USD, EUR]), B: other });
  expect(rows.map(([, , , rate]) => rate)).toEqual([820.125, 954.25]);
  expect(skipped).toEqual({ 'another rate for the same day': 1 });
});

test('a rate for the day after a long weekend is published before it', async () => {
  const { rows } = await read({ A: sheetOf([USD], ofDay('27/07/2026')) }, '2026-07-23..', '2026-07-23');
  expect(rows).toEqual([['2026-07-27', 'USD', 'VES', 820.125]]);
});

test('the first rates of a quarter stand in the file before, on a page further down', async () => {
  const pages: Record<string, Answer> = {
    0: pageOf('2_1_2a27_smc.xls'),
    1: pageOf('2_1_2d26_smc_60.xls', '2_1_2d26_smc.xls'),
  };
  const { rows, requests } = await readFeed(feed, '2027-01-04..2027-01-06', {
    [PAGE]: ({ query }) => pages[query.get('page') ?? ''] ?? pageOf(),
    [at('2_1_2d26_smc_60.xls')]: makeXls({ A: sheetOf([USD], ofDay('04/01/2027')) }),
    [at('2_1_2a27_smc.xls')]: makeXls({ A: sheetOf([EUR], ofDay('05/01/2027')) }),
  });
  expect(rows).toEqual([
    ['2027-01-04', 'USD', 'VES', 820.125],
    ['2027-01-05', 'EUR', 'VES', 954.25],
  ]);
  expect(requests).toHaveLength(4);
});

test('the file of a quarter that has just begun is not there yet', async () => {
  const old = {
    [PAGE]: pageOf('2_1_2c26_smc.xls'),
    [at('2_1_2c26_smc.xls')]: makeXls({ A: sheetOf([USD]) }),
  };
  expect((await readFeed(feed, '2026-10-02..2026-10-05', old)).rows).toEqual([]);
  await expect(readFeed(feed, '2026-10-12..2026-10-16', old)).rejects.toThrow(
    /quarter from 2026-10-01 is not linked/,
  );
});

test('a day without rates is empty', async () => {
  expect((await read({ A: sheetOf([USD]) }, '2026-09-10..2026-09-11', '2026-09-11')).rows).toEqual([]);
});

test.each<[string, Answer, Answer, RegExp]>([
  ['a page for the list', blockedPage, '', /links no workbook/],
  [
    'a list of other hosts',
    pageOf('x').replaceAll('bcv.org.ve', 'elsewhere.example'),
    '',
    /links no workbook/,
  ],
  ['a list without an earlier quarter', pageOf('2_1_2b26_smc.xls'), '', /from 2026-07-01 is not linked/],
  ['a page for the workbook', pageOf('2_1_2c26_smc.xls'), blockedPage, /no workbook/],
  ['a workbook that has gone', pageOf('2_1_2c26_smc.xls'), { status: 404 }, /status 404/],
])('%s is an error', async (_, page, workbook, message) => {
  const answers = { [PAGE]: page, [at('2_1_2c26_smc.xls')]: workbook };
  await expect(readFeed(feed, '2026-09-09..2026-09-09', answers)).rejects.toThrow(message);
});

test.each<[string, Row[], RegExp]>([
  ['no day of value', sheetOf([USD], { day: [null, 'Fecha Operacion: 08/09/2026'] }), /no Fecha Valor/],
  ['an impossible day', sheetOf([USD], { day: [null, 'Fecha Valor: 31/09/2026'] }), /not a date/],
  ['days and months exchanged', sheetOf([USD], { day: [null, 'Fecha Valor: 09/28/2026'] }), /not a date/],
  [
    'no ask',
    sheetOf([USD], { labels: LABELS.map((one) => (one === 'Venta (ASK)' ? 'Venta' : one)) }),
    /no row/,
  ],
  ['prices in dollars alone', sheetOf([USD], { labels: LABELS.slice(0, 5) }), /over its last/],
  [
    'its columns moved',
    sheetOf([USD], { over: [null, null, null, 'Bs./M.E.', null, 'M.E./US$'] }),
    /"M.E.\/US\$"/,
  ],
  [
    'a text for an ask',
    sheetOf([USD, [null, 'EUR', 'Zona Euro', 1, 1, 2, '954.25']]),
    /"954.25" for the ask of EUR/,
  ],
  ['bid and ask exchanged', sheetOf([[null, 'USD', 'E.U.A.', 1, 1, 820.125, 818]]), /above its ask/],
  ['no rate', sheetOf([[null, 'USD', 'E.U.A.', 1, 1, null, null]]), /no records that hold a rate/],
  ['no code', sheetOf([]), /no records that hold a rate/],
])('a sheet with %s is an error', async (_, sheet, message) => {
  await expect(read({ A: sheet })).rejects.toThrow(message);
});
