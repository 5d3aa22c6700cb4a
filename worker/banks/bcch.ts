import * as z from 'zod';
import { CredentialsRefused, type Feed, FeedError, ratesFrom } from '../feeds/feed.js';
import { codeTable } from '../feeds/toolbox/code-table.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { parseJson } from '../feeds/toolbox/json.js';
import { numberOf } from '../feeds/toolbox/numbers.js';

const ENDPOINT = 'https://si3.bcentral.cl/SieteRestWS/SieteRestWS.ashx';

/** Series by the currency whose unit they price: the dollar "observado", the others nominal. */
const SERIES = codeTable(`
  USD F073.TCO.PRE.Z.D, EUR F072.CLP.EUR.N.O.D, GBP F072.CLP.GBP.N.O.D, JPY F072.CLP.JPY.N.O.D,
  CAD F072.CLP.CAD.N.O.D, AUD F072.CLP.AUD.N.O.D, CNY F072.CLP.CNY.N.O.D, BRL F072.CLP.BRL.N.O.D`);

/** Errors have status 200 and a code of their own. This one means "Invalid username or password". */
const REFUSED = -5;

const outcome = z.object({ Codigo: z.number(), Descripcion: z.string().nullish() });
const observation = z.object({ indexDateString: z.string(), value: z.string(), statusCode: z.string() });
const schema = z.object({
  Series: z.object({ seriesId: z.string().nullable(), Obs: z.array(observation).nullable() }),
});

/** Central Bank of Chile: pesos for one unit of eight currencies, one series each. Days without a rate are marked ND. */
export const feed: Feed = {
  key: 'BCCH',
  pauseMs: 200,
  currencyByCurrency: true,
  credentials: ['BCCH_USER', 'BCCH_PASS'],
  empty: 'days without a rate may not be listed',
  blank: 'days without a rate are marked ND',

  async *read(window, { http, credentials }) {
    const { BCCH_USER: user, BCCH_PASS: pass } = credentials;
    for (const [timeseries, base] of SERIES) {
      const response = await http.get(ENDPOINT, {
        query: { user, pass, function: 'GetSeries', timeseries, firstdate: window.from, lastdate: window.to },
      });
      const { Codigo, Descripcion } = parseJson(response, outcome);
      if (Codigo !== 0) {
        const Refusal = Codigo === REFUSED ? CredentialsRefused : FeedError;
        throw new Refusal(
          `${response.url}: responded with code ${Codigo}: ${Descripcion ?? 'without words'}`,
        );
      }
      const { seriesId, Obs } = parseJson(response, schema).Series;
      if (seriesId !== timeseries && Obs !== null) {
        throw new FeedError(`${response.url}: responded with the series ${seriesId}, not ${timeseries}`);
      }
      yield ratesFrom(response, window, Obs ?? [], ({ indexDateString, value, statusCode }) => ({
        date: parseDate(indexDateString, 'DD-MM-YYYY'),
        base,
        quote: 'CLP',
        rate: statusCode === 'ND' ? undefined : numberOf(value),
      }));
    }
  },
};
