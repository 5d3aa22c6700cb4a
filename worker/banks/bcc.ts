import { z } from 'zod';
import { later } from '../../core/domain/dates.js';
import type { Feed } from '../feeds/feed.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { parseAnswer } from '../feeds/toolbox/json.js';

const URL = 'https://api.bc.gob.cu/v1/tasas-de-cambio/historico';
const FIRST_DAY = '2025-12-19';

const CURRENCIES = 'AUD CAD CHF CNY DKK EUR GBP JPY MXN NOK RUB SEK USD'.split(' ');

const schema = z.array(z.object({ fecha: z.string(), tasaEspecial: z.number().nullish() }));

/**
 * Central Bank of Cuba: the floating special rate in pesos for one unit; the official and the public rate beside
 * it are fixed. The answer does not name the currency: one request for each.
 */
export const feed: Feed = {
  key: 'BCC',

  async *rows({ from, to }, { http }) {
    const fechaInicio = later(from, FIRST_DAY);
    if (fechaInicio > to) return;
    for (const base of CURRENCIES) {
      const answer = await http.get(URL, { query: { fechaInicio, fechaFin: to, codigoMoneda: base } });
      await http.pause(1000);
      for (const { fecha, tasaEspecial } of parseAnswer(schema, answer)) {
        if (!tasaEspecial) continue;
        // The yen alone is printed the other way round, in yen for a peso.
        const rate = base === 'JPY' ? 1 / tasaEspecial : tasaEspecial;
        yield { date: parseDate(fecha, 'YYYY-MM-DD'), base, quote: 'CUP', rate };
      }
    }
  },
};
