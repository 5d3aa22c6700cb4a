import { type Feed, FeedError, noData, ratesFrom, type Window } from '../feeds/feed.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { midpoint } from '../feeds/toolbox/midpoint.js';
import { numberOf, numberOrMissing } from '../feeds/toolbox/numbers.js';
import { callSoap, type SoapCall } from '../feeds/toolbox/soap.js';
import { stepsOf } from '../feeds/toolbox/windows.js';

const ENDPOINT = 'https://cotizaciones.bcu.gub.uy/wscotizaciones/servlet/awsbcucotizaciones';
const STEP_DAYS = 365;
const NONE_IN_WINDOW = '100';

/** The bank's own numbers of currencies, as they are asked for; the answer drops their leading zeros. */
const ITEMS: readonly (readonly [item: string, code: string])[] = [
  ['2225', 'USD'],
  ['1111', 'EUR'],
  ['1000', 'BRL'],
  ['0500', 'ARS'],
  ['2309', 'CAD'],
  ['1300', 'CLP'],
  ['4150', 'CNY'],
  ['5500', 'COP'],
  ['1800', 'DKK'],
  ['5100', 'HKD'],
  ['4300', 'HUF'],
  ['5700', 'INR'],
  ['2700', 'GBP'],
  ['4900', 'ISK'],
  ['3600', 'JPY'],
  ['5300', 'KRW'],
  ['5600', 'MYR'],
  ['4200', 'MXN'],
  ['4600', 'NOK'],
  ['1490', 'NZD'],
  ['4800', 'PYG'],
  ['4000', 'PEN'],
  ['5400', 'RUB'],
  ['1620', 'ZAR'],
  ['5800', 'SEK'],
  ['5900', 'CHF'],
  ['4400', 'TRY'],
];

/** Central Bank of Uruguay: the midpoint of buying and selling in pesos, one currency a SOAP request. */
export const feed: Feed = {
  key: 'BCU',
  backfillDays: STEP_DAYS,

  async *read(window, { http }) {
    for (const asked of stepsOf(window, STEP_DAYS)) {
      for (const [item, base] of ITEMS) {
        const { response, content } = await callSoap(http, ENDPOINT, question(item, asked));
        await http.pause(1000);
        const output = content.only('Salida');
        const code = output.text('respuestastatus/codigoerror');
        const words = output.text('respuestastatus/mensaje') ?? 'without words';
        if (code === NONE_IN_WINDOW) {
          yield noData(response, 'error 100, "No existe cotización para la fecha indicada"');
          continue;
        }
        if (code !== '0')
          throw new FeedError(`${response.url}: item ${item}: error ${code ?? 'unknown'}, ${words}`);
        yield ratesFrom(response, asked, output.only('datoscotizaciones').children, (day) => ({
          date: parseDate(day.text('Fecha'), 'YYYY-MM-DD'),
          base: numberOf(day.text('Moneda')) === Number(item) ? base : undefined,
          quote: 'UYU',
          rate: midpoint(numberOrMissing(day.text('TCC')), numberOrMissing(day.text('TCV'))),
        }));
      }
    }
  },
};

function question(item: string, { from, to }: Window): SoapCall {
  return {
    body: `<wsbcucotizaciones.Execute xmlns="Cotiza"><Entrada><Moneda><item>${item}</item></Moneda><FechaDesde>${from}</FechaDesde><FechaHasta>${to}</FechaHasta><Grupo>0</Grupo></Entrada></wsbcucotizaciones.Execute>`,
    result: 'wsbcucotizaciones.ExecuteResponse',
  };
}
