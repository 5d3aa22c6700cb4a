import { feed } from '../../../worker/banks/bcra.js';
import { casesOf } from './cases.js';

const day = (fecha: string | null, ...detalle: [string, string, number | string][]) =>
  JSON.stringify({
    status: 200,
    results: {
      fecha,
      detalle: detalle.map(([codigoMoneda, descripcion, tipoCotizacion]) => ({
        ...{ codigoMoneda, descripcion, tipoPase: 1, tipoCotizacion },
      })),
    },
  });
const DAY = '2026-03-19';
const PLACE = 'GET api.bcra.gob.ar/estadisticascambiarias/v1.0/Cotizaciones';
const { reads, empty, refuses } = casesOf(feed, `${DAY}..${DAY}`, PLACE);
reads('pesos for one unit, one request for each weekday', {
  days: '2026-03-19..2026-03-22',
  given: [
    day(
      DAY,
      ['ARS', 'PESO', 0],
      ['USD ', 'DOLAR E.E.U.U.', 1394.5],
      ['VND', 'DONG VIETNAM (C/1.000 UNIDADES)', '53.040965'],
      ['IDR', 'RUPIA (C/1.000UNIDADES)', 83],
      ['KRW', 'WON (C/ 1.000  UNIDADES)', 940],
      ['CLP', 'PESO CHILENO (c/1000\u00a0unidades)', 1500],
      ['REF', 'DOLAR REFERENCIA COM 3500', 1390],
      ['MXP', 'PESO MEXICANO', 70],
      ['XAU', 'ORO - ONZA TROY', 0],
    ),
    day(null),
  ],
  rates: ['2026-03-19 USD/ARS 1394.5, VND/ARS 0.053040965, IDR/ARS 0.083, KRW/ARS 0.94, CLP/ARS 1.5'],
  asks: ['fecha=2026-03-19', 'fecha=2026-03-20'],
});
reads('units in another form are malformed, never one', {
  given: day(DAY, ['USD', 'DOLAR', 1394.5], ['VND', 'DONG VIETNAM (POR MIL UNIDADES)', 53.040965]),
  rates: ['2026-03-19 USD/ARS 1394.5'],
  dropped: { malformed: 1 },
});
empty(
  'a day with two figures for one currency is left out',
  day(DAY, ['USD', 'DOLAR', 1394.5], ['EUR', 'EURO', 1600], ['EUR ', 'EURO', 1700]),
);
refuses([
  ['rates without a date', day(null, ['USD', 'DOLAR', 1394.5]), /1 rates without a date/],
  ['a date without rates', day(DAY), /no records that hold a rate/],
]);
