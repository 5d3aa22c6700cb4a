import * as z from 'zod';
import { type Feed, FeedError, ratesFrom, sidesOf } from '../feeds/feed.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { parseJson } from '../feeds/toolbox/json.js';
import { numberOrMissing } from '../feeds/toolbox/numbers.js';

const SERIES = 'https://estadisticas.bcrp.gob.pe/estadisticas/series/api/PD04639PD-PD04640PD/json';
const SIDES = ['Compra', 'Venta'];
const MISSING = ['n.d.'];

const schema = z.object({
  config: z.object({ series: z.array(z.object({ name: z.string() })).length(SIDES.length) }),
  periods: z.array(z.object({ name: z.string(), values: z.tuple([z.string(), z.string()]) })),
});

/**
 * Banco Central de Reserva del Perú: the middle of the banking system's closing quotes of the dollar in soles. The series of
 * the euro is not read, as it deviates by several percent.
 */
export const feed: Feed = {
  key: 'BCRP',
  reading: 2,
  empty: 'a closed day is not listed',
  blank: 'a closed day is n.d.',

  async *read(window, { http }) {
    const response = await http.get(`${SERIES}/${window.from}/${window.to}/ing`);
    const { config, periods } = parseJson(response, schema);
    for (const [at, side] of SIDES.entries()) {
      const name = config.series[at]?.name ?? '';
      if (!name.endsWith(side))
        throw new FeedError(`${response.url}: series ${at + 1} is "${name}", not ${side}`);
    }
    yield ratesFrom(response, window, periods, ({ name, values: [buying, selling] }) => ({
      // September is Set; all other months are in English.
      date: parseDate(name, 'DD.Mon.YY'),
      base: 'USD',
      quote: 'PEN',
      ...sidesOf(numberOrMissing(buying, '.', MISSING), numberOrMissing(selling, '.', MISSING)),
    }));
  },
};
