import * as z from 'zod';
import { addDays } from '../../core/domain/dates.js';
import { type Feed, FeedError, ratesFrom, skipped } from '../feeds/feed.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { parseJson } from '../feeds/toolbox/json.js';
import { stepsOf } from '../feeds/toolbox/windows.js';

const ENDPOINT = 'https://www.bna.ao/service/rest/taxas/get/evolucao/taxa/intervalo';
const STEP_DAYS = 90;

/** The service's code for all currencies, including the lek. */
const EVERY_CURRENCY = 'ALL';

/** The midpoint of buying and selling. */
const MIDDLE = 'M';

/** The ounce of gold and the drawing right, both priced in dollars. */
const NOT_IN_KWANZA = new Set(['XAU', 'XDRUSD']);

const schema = z.object({
  success: z.boolean().nullish(),
  message: z.string().nullish(),
  genericResponse: z
    .array(
      z.object({
        taxa: z.number().nullable(),
        tipoCambio: z.string(),
        data: z.string(),
        codigoMoeda: z.string(),
      }),
    )
    .nullish(),
});

/** Banco Nacional de Angola: middle reference rates in kwanzas for one unit, all currencies in one response. */
export const feed: Feed = {
  key: 'BNA',
  pauseMs: 200,
  backfillDays: STEP_DAYS,
  empty: 'a window without rates is an empty list',
  blank: 'a rate is zero or null where none was set',

  async *read(window, { http }) {
    for (const { from, to } of stepsOf(window, STEP_DAYS)) {
      // Parameter names must be in lower case. The response may omit the first requested day.
      const asked = { from: addDays(from, -1), to };
      const query = { datainicio: asked.from, datafim: to, tipocambio: MIDDLE, moeda: EVERY_CURRENCY };
      const response = await http.get(ENDPOINT, { query });
      const { success, message, genericResponse: rates } = parseJson(response, schema);
      if (success !== true || !rates) {
        const what = `no success, or no genericResponse: ${message ?? 'no message'}`;
        throw new FeedError(`${response.url}: responded with ${what}`);
      }
      const [first, second] = new Set(rates.map(({ codigoMoeda }) => codigoMoeda));
      if (first !== undefined && second === undefined)
        throw new FeedError(`${response.url}: has ${first} alone where every currency was asked for`);
      yield ratesFrom(response, asked, rates, ({ taxa, tipoCambio, data, codigoMoeda: base }) =>
        tipoCambio !== MIDDLE || NOT_IN_KWANZA.has(base)
          ? skipped('a price in dollars, or not the middle one')
          : { date: parseDate(data, 'YYYY-MM-DD'), base, quote: 'AOA', rate: taxa ?? undefined },
      );
    }
  },
};
