import { z } from 'zod';
import { addDays } from '../../core/domain/dates.js';
import { type Feed, FeedError } from '../feeds/feed.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { parseAnswer } from '../feeds/toolbox/json.js';
import { stepsOf } from '../feeds/toolbox/windows.js';

const URL = 'https://www.bna.ao/service/rest/taxas/get/evolucao/taxa/intervalo';
const STEP_DAYS = 90;

/** For the service it is no lek but every currency, the lek among them. */
const EVERY_CURRENCY = 'ALL';

/** The middle of buying and selling. */
const MIDDLE = 'M';

/** The ounce of gold, which is priced in dollars, and the drawing right in dollars. */
const NOT_IN_KWANZA = new Set(['XAU', 'XDRUSD']);

const schema = z.object({
  success: z.boolean().nullish(),
  message: z.string().nullish(),
  genericResponse: z
    .array(
      z.object({
        taxa: z.number().nullish(),
        tipoCambio: z.string(),
        data: z.string(),
        codigoMoeda: z.string(),
      }),
    )
    .nullish(),
});

/** Banco Nacional de Angola: middle reference rates in kwanzas for one unit, all currencies in one answer. */
export const feed: Feed = {
  key: 'BNA',
  backfillDays: STEP_DAYS,

  async *rows(window, { http }) {
    for (const { from, to } of stepsOf(window, STEP_DAYS)) {
      // Names in lower case only. The first day asked for may be left out of the answer.
      const query = {
        datainicio: addDays(from, -1),
        datafim: to,
        tipocambio: MIDDLE,
        moeda: EVERY_CURRENCY,
      };
      const answer = await http.get(URL, { query });
      await http.pause(200);
      const { success, message, genericResponse: rates } = parseAnswer(schema, answer);
      if (success !== true || !rates) {
        throw new FeedError(`${answer.url}: answered no success: ${message ?? 'no message'}`);
      }
      if (rates.length > 0 && rates.every(({ codigoMoeda }) => codigoMoeda === EVERY_CURRENCY)) {
        throw new FeedError(`${answer.url}: answered the lek alone where every currency was meant`);
      }
      for (const { taxa: rate, tipoCambio, data, codigoMoeda: base } of rates) {
        if (!rate || tipoCambio !== MIDDLE || NOT_IN_KWANZA.has(base)) continue;
        yield { date: parseDate(data, 'YYYY-MM-DD'), base, quote: 'AOA', rate };
      }
    }
  },
};
