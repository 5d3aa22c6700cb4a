import { z } from 'zod';
import { type Feed, ratesFrom } from '../feeds/feed.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { parseJson } from '../feeds/toolbox/json.js';

const ENDPOINT = 'https://api.bc.gob.cu/v1/tasas-de-cambio/historico';

const CURRENCIES = 'AUD CAD CHF CNY DKK EUR GBP JPY MXN NOK RUB SEK USD'.split(' ');

const schema = z.array(z.object({ fecha: z.string(), tasaEspecial: z.number().nullable() }));

/**
 * Central Bank of Cuba: the floating special rate in pesos for one unit; the official and the public rate beside
 * it are fixed. The response does not name the currency: one request for each.
 */
export const feed: Feed = {
  key: 'BCC',
  firstDay: '2025-12-19',
  empty: 'days without a rate are an empty list',
  blank: 'the special rate is null on days without one',

  async *read(window, { http }) {
    for (const base of CURRENCIES) {
      const query = { fechaInicio: window.from, fechaFin: window.to, codigoMoneda: base };
      const response = await http.get(ENDPOINT, { query });
      await http.pause(1000);
      yield ratesFrom(response, window, parseJson(response, schema), ({ fecha, tasaEspecial: printed }) => ({
        date: parseDate(fecha, 'YYYY-MM-DD'),
        base,
        quote: 'CUP',
        // The yen alone is printed the other way round, in yen for a peso.
        rate: printed && base === 'JPY' ? 1 / printed : (printed ?? undefined),
      }));
    }
  },
};
