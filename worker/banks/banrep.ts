import { z } from 'zod';
import type { Feed } from '../feeds/feed.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { parseAnswer } from '../feeds/toolbox/json.js';
import { numberOrMissing } from '../feeds/toolbox/numbers.js';

const URL = 'https://www.datos.gov.co/resource/32sa-8pi3.json';

const schema = z.array(z.object({ valor: z.string().nullish(), vigenciadesde: z.string().nullish() }));

/**
 * Banco de la República, Colombia: the representative market rate, pesos for a dollar, from the state's open data.
 * A rate that is valid over a weekend or a holiday stands once, at the first day it is valid, often a Saturday.
 */
export const feed: Feed = {
  key: 'BANREP',

  async *rows({ from, to }, { http }) {
    const answer = await http.get(URL, {
      query: {
        $where: `vigenciadesde>='${from}T00:00:00.000' AND vigenciadesde<='${to}T00:00:00.000'`,
        // More than the whole archive: without it the service stops at a thousand.
        $limit: 50_000,
        $order: 'vigenciadesde ASC',
      },
    });
    for (const { valor, vigenciadesde } of parseAnswer(schema, answer)) {
      const rate = numberOrMissing(valor);
      if (!rate || !vigenciadesde) continue;
      yield { date: parseDate(vigenciadesde, 'YYYY-MM-DD'), base: 'USD', quote: 'COP', rate };
    }
  },
};
