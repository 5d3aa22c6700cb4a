import { type Feed, ratesFrom } from '../feeds/feed.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { numberOrMissing } from '../feeds/toolbox/numbers.js';
import { callSoap } from '../feeds/toolbox/soap.js';
import { monthsOf } from '../feeds/toolbox/windows.js';

const ENDPOINT = 'https://servicios.bcn.gob.ni/Tc_Servicio/ServicioTC.asmx';
const NAMESPACE = 'http://servicios.bcn.gob.ni/';

/** Central Bank of Nicaragua: córdobas for one dollar, for every calendar day, one request per month. */
export const feed: Feed = {
  key: 'BCN',
  pauseMs: 200,
  backfillDays: 30,
  empty: 'a month without data holds no day',

  async *read(window, { http }) {
    for (const { year, month, first, last } of monthsOf(window)) {
      const { response, content } = await callSoap(http, ENDPOINT, {
        action: `"${NAMESPACE}RecuperaTC_Mes"`,
        body: `<RecuperaTC_Mes xmlns="${NAMESPACE}"><Ano>${year}</Ano><Mes>${month}</Mes></RecuperaTC_Mes>`,
        result: 'RecuperaTC_MesResponse',
      });
      const records = content.only('RecuperaTC_MesResult').only('Detalle_TC').children;
      yield ratesFrom(response, { from: first, to: last }, records, (day) => ({
        date: parseDate(day.text('Fecha'), 'YYYY-MM-DD'),
        base: 'USD',
        quote: 'NIO',
        rate: numberOrMissing(day.text('Valor')),
      }));
    }
  },
};
