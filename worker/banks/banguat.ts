import { type Feed, FeedError, ratesFrom, sidesOf, skipped } from '../feeds/feed.js';
import { formatDate, parseDate } from '../feeds/toolbox/dates.js';
import { numberOf, numberOrMissing } from '../feeds/toolbox/numbers.js';
import { callSoap } from '../feeds/toolbox/soap.js';
import { stepsOf } from '../feeds/toolbox/windows.js';

const ENDPOINT = 'https://www.banguat.gob.gt/variables/ws/TipoCambio.asmx';
const NAMESPACE = 'http://www.banguat.gob.gt/variables/ws/';
const STEP_DAYS = 365;
const DOLLAR = '2';

/** Banco de Guatemala: the reference rate of the dollar in quetzales, for every calendar day. */
export const feed: Feed = {
  key: 'BANGUAT',
  reading: 2,
  backfillDays: STEP_DAYS,
  backfillUntilEmpty: true,
  empty: 'a window without rates has TotalItems 0',

  async *read(window, { http }) {
    for (const asked of stepsOf(window, STEP_DAYS)) {
      const [from, to] = [asked.from, asked.to].map((day) => formatDate(day, 'DD/MM/YYYY'));
      const { response, content } = await callSoap(http, ENDPOINT, {
        body: `<TipoCambioRango xmlns="${NAMESPACE}"><fechainit>${from}</fechainit><fechafin>${to}</fechafin></TipoCambioRango>`,
        result: 'TipoCambioRangoResponse',
      });
      const result = content.only('TipoCambioRangoResult');
      const records = result.only('Vars').all('Var');
      const total = numberOf(result.only('TotalItems').ownText);
      if (records.length !== total)
        throw new FeedError(`${response.url}: ${records.length} of ${total} rates (TotalItems) came`);
      yield ratesFrom(response, asked, records, (record) => {
        const currency = record.text('moneda');
        if (currency === undefined) throw new FeedError('a rate without its moneda');
        if (currency !== DOLLAR) return skipped('another currency than the dollar');
        return {
          date: parseDate(record.text('fecha'), 'DD/MM/YYYY'),
          base: 'USD',
          quote: 'GTQ',
          ...sidesOf(numberOrMissing(record.text('compra')), numberOrMissing(record.text('venta'))),
        };
      });
    }
  },
};
