import * as z from 'zod';
import type { CalendarDate } from '../../core/domain/dates.js';
import { type Feed, FeedError, ratesFrom } from '../feeds/feed.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { parseJson } from '../feeds/toolbox/json.js';

const ENDPOINT = 'https://api.bc.gob.cu/v1/tasas-de-cambio/historico';

/** The dollar first, because the yen is checked against it. */
const CURRENCIES = 'USD AUD CAD CHF CNY DKK EUR GBP JPY MXN NOK RUB SEK'.split(' ');
/** The price of a dollar in yen. Since 1986 it has been between 75 and 203. */
const YEN_PER_DOLLAR = { least: 60, most: 300 };

const schema = z.array(z.object({ fecha: z.string(), tasaEspecial: z.number().nullable() }));

/**
 * Central Bank of Cuba: the floating special rate in pesos for one unit. The official and the public rate beside it are
 * fixed. The response does not name the currency, so there is one request per currency.
 */
export const feed: Feed = {
  key: 'BCC',
  pauseMs: 1000,
  currencyByCurrency: true,
  firstDay: '2025-12-19',
  empty: 'days without a rate are an empty list',
  blank: 'the special rate is null on days without one',

  async *read(window, { http }) {
    const dollars = new Map<CalendarDate, number | null>();
    for (const base of CURRENCIES) {
      const query = { fechaInicio: window.from, fechaFin: window.to, codigoMoneda: base };
      const response = await http.get(ENDPOINT, { query });
      yield ratesFrom(response, window, parseJson(response, schema), ({ fecha, tasaEspecial: printed }) => {
        const date = parseDate(fecha, 'YYYY-MM-DD');
        if (base === 'USD') dollars.set(date, printed);
        const rate = printed && base === 'JPY' ? pesosPerYen(printed, dollars.get(date)) : printed;
        return { date, base, quote: 'CUP', rate: rate ?? undefined };
      });
    }
  },
};

/** Only the yen is printed inverted, in yen for a peso. Throws a FeedError if it no longer is. */
function pesosPerYen(printed: number, dollar: number | null | undefined): number {
  const { least, most } = YEN_PER_DOLLAR;
  const yenPerDollar = printed * (dollar ?? 0);
  if (yenPerDollar < least || yenPerDollar > most)
    throw new FeedError(
      `${printed} yen for a peso and ${dollar ?? 'no'} pesos for a dollar are ${yenPerDollar} yen for a dollar: is the yen printed in pesos now?`,
    );
  return 1 / printed;
}
