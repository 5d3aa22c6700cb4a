import * as z from 'zod';
import { type Feed, FeedError, noData, ratesFrom, skipped } from '../feeds/feed.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { parseJson } from '../feeds/toolbox/json.js';
import { numberOf } from '../feeds/toolbox/numbers.js';
import { weekdaysOf } from '../feeds/toolbox/windows.js';

const ENDPOINT = 'https://api.bcra.gob.ar/estadisticascambiarias/v1.0/Cotizaciones';
const NOMINAL = /C\/\s*([\d.]+)\s*UNIDADES/i;

/** The peso itself, a second dollar rate, the bolívar before 2008, and today's Mexican peso under its old code. */
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

/**
 * Central Bank of Argentina: pesos for one unit of each currency, or for a thousand if its name says so. One request per
 * day.
 */
export const feed: Feed = {
  key: 'BCRA',
  dayByDay: true,
  backfillDays: 90,
  reading: 2,

  async *read(window, { http }) {
    for (const day of weekdaysOf(window)) {
      const response = await http.get(ENDPOINT, { query: { fecha: day } });
      const { fecha, detalle } = parseJson(response, schema).results;
      if (fecha === null && detalle.length === 0) {
        yield noData(response, 'a holiday has neither a date nor rates');
        continue;
      }
      if (fecha === null) throw new FeedError(`${response.url}: ${detalle.length} rates without a date`);
      const codes = new Set(detalle.map(({ codigoMoneda }) => codigoMoneda)).size;
      if (codes < detalle.length / 2)
        throw new FeedError(`${response.url}: ${codes} codes for ${detalle.length} rates`);
      if (codes < detalle.length) {
        yield noData(response, 'of two figures for one currency nobody can tell the right one');
        continue;
      }
      yield ratesFrom(
        response,
        { from: day, to: day },
        detalle,
        ({ codigoMoneda: base, descripcion, tipoCotizacion }) =>
          NOT_READ.has(base)
            ? skipped('the peso itself, a second dollar, or a code of the past')
            : {
                date: parseDate(fecha, 'YYYY-MM-DD'),
                base,
                quote: 'ARS',
                // Gold and silver have a zero instead of a price in pesos.
                rate: numberOf(tipoCotizacion),
                units: nominalOf(descripcion),
              },
      );
    }
  },
};

/** Undefined if a name mentions units in another form, because a price for one unit could be a thousand times too high. */
function nominalOf(description: string): number | undefined {
  if (!/UNIDADES/i.test(description)) return 1;
  const printed = NOMINAL.exec(description)?.[1];
  return printed === undefined ? undefined : Number(printed.replaceAll('.', ''));
}
