import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/bcra.js';
import { blockedPage, readFeed } from '../feeds/support.js';

const PLACE = 'GET api.bcra.gob.ar/estadisticascambiarias/v1.0/Cotizaciones';
const day = (fecha: string | null, ...detalle: [string, string, number | string][]) =>
  JSON.stringify({
    status: 200,
    results: {
      fecha,
      detalle: detalle.map(([codigoMoneda, descripcion, tipoCotizacion]) => ({
        codigoMoneda,
        descripcion,
        tipoPase: 1,
        tipoCotizacion,
      })),
    },
  });

test('pesos for one unit, one request for each weekday', async () => {
  const { rows, requests } = await readFeed(feed, '2026-03-19..2026-03-22', {
    [PLACE]: [
      day(
        '2026-03-19',
        ['ARS', 'PESO', 0],
        ['USD ', 'DOLAR E.E.U.U.', 1394.5],
        ['VND', 'DONG VIETNAM (C/1.000 UNIDADES)', '53.040965'],
        ['REF', 'DOLAR REFERENCIA COM 3500', 1390],
        ['MXP', 'PESO MEXICANO', 70],
        ['XAU', 'ORO - ONZA TROY', 0],
      ),
      day(null),
    ],
  });
  expect(rows).toEqual([
    ['2026-03-19', 'USD', 'ARS', 1394.5],
    ['2026-03-19', 'VND', 'ARS', 0.053040965],
  ]);
  expect(requests.map(({ query }) => query.get('fecha'))).toEqual(['2026-03-19', '2026-03-20']);
});

test.each([
  'DONG VIETNAM (C/1.000UNIDADES)',
  'DONG VIETNAM (C/1.000  UNIDADES)',
  'DONG VIETNAM (C/ 1.000 UNIDADES)',
  'DONG VIETNAM (c/1000\u00a0unidades)',
])('"%s" is a thousand units', async (name) => {
  const { rows } = await readFeed(feed, '2026-03-19..2026-03-19', {
    [PLACE]: day('2026-03-19', ['VND', name, 53.040965]),
  });
  expect(rows).toEqual([['2026-03-19', 'VND', 'ARS', 0.053040965]]);
});

test('units in another form are malformed, never one', async () => {
  const { rows, dropped } = await readFeed(feed, '2026-03-19..2026-03-19', {
    [PLACE]: day(
      '2026-03-19',
      ['USD', 'DOLAR', 1394.5],
      ['VND', 'DONG VIETNAM (POR MIL UNIDADES)', 53.040965],
    ),
  });
  expect([rows.length, dropped]).toEqual([1, { malformed: 1 }]);
});

test('a day with two figures for one currency is left out', async () => {
  const doubled = day('2026-03-19', ['USD', 'DOLAR', 1394.5], ['EUR', 'EURO', 1600], ['EUR ', 'EURO', 1700]);
  expect((await readFeed(feed, '2026-03-19..2026-03-19', { [PLACE]: doubled })).rows).toEqual([]);
});

test.each([
  ['a blocked page', blockedPage, /HTML page/],
  ['another form', '{"status":200}', /results/],
  ['rates without a date', day(null, ['USD', 'DOLAR', 1394.5]), /1 rates without a date/],
  ['a date without rates', day('2026-03-19'), /no records that hold a rate/],
  ['a value that is no number', day('2026-03-19', ['USD', 'DOLAR', 's/c']), /not a number/],
])('%s is an error', async (_, answer, message) => {
  await expect(readFeed(feed, '2026-03-19..2026-03-19', { [PLACE]: answer })).rejects.toThrow(message);
});
