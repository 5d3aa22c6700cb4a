import { type Feed, FeedError } from '../feeds/feed.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { numberOrMissing } from '../feeds/toolbox/numbers.js';
import { callSoap } from '../feeds/toolbox/soap.js';
import { monthsOf } from '../feeds/toolbox/windows.js';

const URL = 'https://servicios.bcn.gob.ni/Tc_Servicio/ServicioTC.asmx';
const NAMESPACE = 'http://servicios.bcn.gob.ni/';

/** Central Bank of Nicaragua: córdobas for one dollar, for every calendar day, one month a request. */
export const feed: Feed = {
  key: 'BCN',
  backfillDays: 30,

  async *rows(window, { http }) {
    for (const { year, month } of monthsOf(window)) {
      const response = await callSoap(http, URL, {
        action: `"${NAMESPACE}RecuperaTC_Mes"`,
        body: `<RecuperaTC_Mes xmlns="${NAMESPACE}"><Ano>${year}</Ano><Mes>${month}</Mes></RecuperaTC_Mes>`,
      });
      await http.pause(200);
      if (response.name !== 'RecuperaTC_MesResponse') {
        throw new FeedError(`${URL}: answered ${response.name} where RecuperaTC_MesResponse was meant`);
      }
      for (const day of response.all('RecuperaTC_MesResult/Detalle_TC/Tc')) {
        const [date, rate] = [day.text('Fecha'), numberOrMissing(day.text('Valor'))];
        if (date && rate) yield { date: parseDate(date, 'YYYY-MM-DD'), base: 'USD', quote: 'NIO', rate };
      }
    }
  },
};
