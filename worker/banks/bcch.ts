import { z } from 'zod';
import { CredentialsRefused, type Feed, FeedError } from '../feeds/feed.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { parseAnswer } from '../feeds/toolbox/json.js';
import { numberOf } from '../feeds/toolbox/numbers.js';

const URL = 'https://si3.bcentral.cl/SieteRestWS/SieteRestWS.ashx';

/** Series by the currency of which they price one unit: the dollar "observado", the others nominal. */
const SERIES: Readonly<Record<string, string>> = {
  USD: 'F073.TCO.PRE.Z.D',
  EUR: 'F072.CLP.EUR.N.O.D',
  GBP: 'F072.CLP.GBP.N.O.D',
  JPY: 'F072.CLP.JPY.N.O.D',
  CAD: 'F072.CLP.CAD.N.O.D',
  AUD: 'F072.CLP.AUD.N.O.D',
  CNY: 'F072.CLP.CNY.N.O.D',
  BRL: 'F072.CLP.BRL.N.O.D',
};

/** Errors come with status 200 and a code of their own; this one says "Invalid username or password". */
const REFUSED = -5;

const outcome = z.object({ Codigo: z.number(), Descripcion: z.string().nullish() });
const observation = z.object({ indexDateString: z.string(), value: z.string(), statusCode: z.string() });
const schema = z.object({
  Series: z.object({ seriesId: z.string().nullish(), Obs: z.array(observation).nullish() }),
});

/** Central Bank of Chile: pesos for one unit of eight currencies, one series each. Days without a rate are marked ND. */
export const feed: Feed = {
  key: 'BCCH',
  credentials: ['BCCH_USER', 'BCCH_PASS'],

  async *rows({ from, to }, { http, credentials }) {
    const { BCCH_USER: user, BCCH_PASS: pass } = credentials;
    for (const [base, timeseries] of Object.entries(SERIES)) {
      await http.pause(200);
      const query = { user, pass, function: 'GetSeries', timeseries, firstdate: from, lastdate: to };
      const answer = await http.get(URL, { query });
      const { Codigo, Descripcion } = parseAnswer(outcome, answer);
      if (Codigo !== 0) {
        const Refusal = Codigo === REFUSED ? CredentialsRefused : FeedError;
        throw new Refusal(`${answer.url}: answered code ${Codigo}: ${Descripcion ?? 'without words'}`);
      }
      const { seriesId, Obs } = parseAnswer(schema, answer).Series;
      if (Obs && Obs.length > 0 && seriesId !== timeseries) {
        throw new FeedError(`${answer.url}: answered the series ${seriesId}, not ${timeseries}`);
      }
      for (const { indexDateString, value, statusCode } of Obs ?? []) {
        const rate = statusCode === 'OK' ? numberOf(value) : 0;
        if (rate !== 0) yield { date: parseDate(indexDateString, 'DD-MM-YYYY'), base, quote: 'CLP', rate };
      }
    }
  },
};
