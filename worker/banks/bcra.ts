import { z } from 'zod';
import { type Feed, FeedError } from '../feeds/feed.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { parseAnswer } from '../feeds/toolbox/json.js';
import { numberOf } from '../feeds/toolbox/numbers.js';
import { weekdaysOf } from '../feeds/toolbox/windows.js';

const URL = 'https://api.bcra.gob.ar/estadisticascambiarias/v1.0/Cotizaciones';
const NOMINAL = /C\/([\d.]+) UNIDADES/i;

/** The peso itself, a second dollar rate, the bolívar of before 2008, and today's Mexican peso under its old code. */
const NOT_READ = new Set(['ARS', 'REF', 'VEB', 'MXP']);

const schema = z.object({
  results: z.object({
    fecha: z.string().nullable(),
    detalle: z.array(
      z.object({
        codigoMoneda: z.string().trim(),
        descripcion: z.string(),
        tipoCotizacion: z.union([z.number(), z.string()]),
      }),
    ),
  }),
});

/** Central Bank of Argentina: pesos for a unit of each currency, by its name for a thousand of some. One day a request. */
export const feed: Feed = {
  key: 'BCRA',
  backfillDays: 90,

  async *rows(window, { http }) {
    for (const day of weekdaysOf(window)) {
      const answer = await http.get(URL, { query: { fecha: day } });
      await http.pause(500);
      const { fecha, detalle } = parseAnswer(schema, answer).results;
      if (fecha === null && detalle.length === 0) continue;
      if (fecha === null || detalle.length === 0) {
        throw new FeedError(
          `${answer.url}: ${detalle.length} rates for the day ${fecha}: not a holiday's form`,
        );
      }
      const date = parseDate(fecha, 'YYYY-MM-DD');
      // Of two figures for one currency nobody can tell the right one: such a day is not taken.
      if (new Set(detalle.map(({ codigoMoneda }) => codigoMoneda)).size < detalle.length) continue;
      for (const { codigoMoneda: base, descripcion, tipoCotizacion } of detalle) {
        const rate = numberOf(tipoCotizacion) / nominalOf(descripcion);
        if (!NOT_READ.has(base) && rate > 0) yield { date, base, quote: 'ARS', rate };
      }
    }
  },
};

function nominalOf(description: string): number {
  const printed = NOMINAL.exec(description)?.[1];
  return printed === undefined ? 1 : Number(printed.replaceAll('.', ''));
}
