import { type Feed, FeedError } from '../feeds/feed.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { midpoint } from '../feeds/toolbox/midpoint.js';
import { numberOrMissing } from '../feeds/toolbox/numbers.js';
import { callSoap } from '../feeds/toolbox/soap.js';
import { stepsOf } from '../feeds/toolbox/windows.js';

const URL = 'https://cotizaciones.bcu.gub.uy/wscotizaciones/servlet/awsbcucotizaciones';
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

  async *rows(window, { http }) {
    for (const { from, to } of stepsOf(window, STEP_DAYS)) {
      for (const [item, base] of ITEMS) {
        const response = await callSoap(http, URL, { body: question(item, from, to) });
        await http.pause(1000);
        const code = response.text('Salida/respuestastatus/codigoerror');
        if (code === NONE_IN_WINDOW) continue;
        if (code !== '0') {
          const words = response.text('Salida/respuestastatus/mensaje') ?? 'without words';
          throw new FeedError(`${URL}: item ${item}: error ${code ?? 'unknown'}, ${words}`);
        }
        for (const day of response.all('Salida/datoscotizaciones/datoscotizaciones.dato')) {
          const [buying, selling] = [numberOrMissing(day.text('TCC')), numberOrMissing(day.text('TCV'))];
          const date = day.text('Fecha');
          if (!date || !buying || !selling || Number(day.text('Moneda')) !== Number(item)) continue;
          yield { date: parseDate(date, 'YYYY-MM-DD'), base, quote: 'UYU', rate: midpoint(buying, selling) };
        }
      }
    }
  },
};

function question(item: string, from: string, to: string): string {
  return `<wsbcucotizaciones.Execute xmlns="Cotiza"><Entrada><Moneda><item>${item}</item></Moneda><FechaDesde>${from}</FechaDesde><FechaHasta>${to}</FechaHasta><Grupo>0</Grupo></Entrada></wsbcucotizaciones.Execute>`;
}
