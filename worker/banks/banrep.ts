import * as z from 'zod';
import { addDays } from '../../core/domain/dates.js';
import { type Feed, ratesFrom } from '../feeds/feed.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { parseJson } from '../feeds/toolbox/json.js';
import { numberOrMissing } from '../feeds/toolbox/numbers.js';

const ENDPOINT = 'https://www.datos.gov.co/resource/32sa-8pi3.json';

const schema = z.array(
  z.object({ valor: z.string().nullable(), unidad: z.literal('COP'), vigenciadesde: z.string() }),
);

/**
 * Banco de la República, Colombia: the representative market rate, pesos for a dollar, from the state's open data. A rate
 * that is valid over a weekend or a holiday is listed once, on its first valid day, often a Saturday. It is published the
 * evening before, so the request extends beyond the window.
 */
export const feed: Feed = {
  key: 'BANREP',
  weekends: true,
  empty: 'a window in which no rate begins to be valid is an empty list',
  blank: 'a value is null where no rate was set',

  async *read({ from, to }, { http }) {
    const asked = { from, to: addDays(to, 2) };
    const response = await http.get(ENDPOINT, {
      query: {
        $where: `vigenciadesde>='${asked.from}T00:00:00.000' AND vigenciadesde<='${asked.to}T00:00:00.000'`,
        // More than the whole archive. The default limit is a thousand.
        $limit: 50_000,
        $order: 'vigenciadesde ASC',
      },
    });
    yield ratesFrom(response, asked, parseJson(response, schema), ({ valor, vigenciadesde }) => ({
      date: parseDate(vigenciadesde, 'YYYY-MM-DD'),
      base: 'USD',
      quote: 'COP',
      rate: numberOrMissing(valor),
    }));
  },
};
