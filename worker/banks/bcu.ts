import { type Feed, FeedError, noData, ratesFrom, sidesOf, type Window } from '../feeds/feed.js';
import { codeTable } from '../feeds/toolbox/code-table.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { numberOf, numberOrMissing } from '../feeds/toolbox/numbers.js';
import { callSoap, type SoapCall } from '../feeds/toolbox/soap.js';
import { stepsOf } from '../feeds/toolbox/windows.js';

const ENDPOINT = 'https://cotizaciones.bcu.gub.uy/wscotizaciones/servlet/awsbcucotizaciones';
const STEP_DAYS = 365;
const NONE_IN_WINDOW = '100';

/** The bank's numeric IDs of currencies, as in requests. Responses drop their leading zeros. */
const ITEMS = codeTable(`
  USD 2225, EUR 1111, BRL 1000, ARS 0500, CAD 2309, CLP 1300, CNY 4150, COP 5500, DKK 1800, HKD 5100,
  HUF 4300, INR 5700, GBP 2700, ISK 4900, JPY 3600, KRW 5300, MYR 5600, MXN 4200, NOK 4600, NZD 1490,
  PYG 4800, PEN 4000, RUB 5400, ZAR 1620, SEK 5800, CHF 5900, TRY 4400`);

/** Central Bank of Uruguay: the midpoint of buying and selling in pesos, one SOAP request per currency. */
export const feed: Feed = {
  key: 'BCU',
  reading: 2,
  pauseMs: 1000,
  currencyByCurrency: true,
  backfillDays: STEP_DAYS,

  async *read(window, { http }) {
    for (const asked of stepsOf(window, STEP_DAYS)) {
      for (const [item, base] of ITEMS) {
        const { response, content } = await callSoap(http, ENDPOINT, question(item, asked));
        const output = content.only('Salida');
        const status = output.only('respuestastatus');
        const [code, words = 'without words'] = ['codigoerror', 'mensaje'].map((name) => status.text(name));
        if (code === NONE_IN_WINDOW) {
          yield noData(response, 'error 100, "No existe cotización para la fecha indicada"');
          continue;
        }
        if (code !== '0')
          throw new FeedError(
            `${response.url}: item ${item}: error ${code}, ${words}, in codigoerror, not 0`,
          );
        yield ratesFrom(response, asked, output.only('datoscotizaciones').children, (day) => ({
          date: parseDate(day.text('Fecha'), 'YYYY-MM-DD'),
          base: numberOf(day.text('Moneda')) === Number(item) ? base : undefined,
          quote: 'UYU',
          ...sidesOf(numberOrMissing(day.text('TCC')), numberOrMissing(day.text('TCV'))),
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
