import * as z from 'zod';
import { CredentialsRefused, excerpt, type Feed, FeedError, ratesFrom } from '../feeds/feed.js';
import type { HttpAnswer } from '../feeds/http/client.js';
import { codeTable } from '../feeds/toolbox/code-table.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { parseJson } from '../feeds/toolbox/json.js';
import { numberOrMissing } from '../feeds/toolbox/numbers.js';

const SERVICE = 'https://www.banxico.org.mx/SieAPIRest/service/v1/series';

/** Series by the currency whose unit they price. */
const SERIES = codeTable(`
  USD SF43718, EUR SF46410, GBP SF46407, JPY SF46406, CAD SF60632`);

// A series without a rate in the window has no `datos`. Renamed fields must not be read as that.
const observation = z.object({ fecha: z.string(), dato: z.string().nullable() });
const series = z.strictObject({
  idSerie: z.string(),
  titulo: z.string().optional(),
  datos: z.array(observation).nullish(),
});
const schema = z.object({ bmx: z.object({ series: z.array(series).min(SERIES.size) }) });

/** Banco de México: pesos for one unit of five currencies; the dollar's rate is the FIX. The order of the series varies. */
export const feed: Feed = {
  key: 'BANXICO',
  credentials: ['BANXICO_API_KEY'],
  empty: 'days without a rate are not listed',
  blank: 'days without a rate are marked N/E ("no existe")',

  async *read(window, { http, credentials }) {
    const ids = [...SERIES.keys()].join(',');
    const response = await http.get(`${SERVICE}/${ids}/datos/${window.from}/${window.to}`, {
      headers: { 'bmx-token': credentials.BANXICO_API_KEY ?? '' },
      answers: [400],
    });
    if (response.status === 400) throw refusal(response);
    const { series } = parseJson(response, schema).bmx;
    const records = series.flatMap(({ idSerie, datos }) => (datos ?? []).map((one) => ({ idSerie, ...one })));
    yield ratesFrom(response, window, records, ({ idSerie, fecha, dato }) => ({
      date: parseDate(fecha, 'DD/MM/YYYY'),
      base: SERIES.get(idSerie),
      quote: 'MXN',
      rate: numberOrMissing(dato, '.', ['N/E']),
    }));
  },
};

/** Only the bank's message distinguishes an unknown token from another bad request. The message may contain the token. */
function refusal(answer: HttpAnswer): FeedError {
  return /token/i.test(answer.text())
    ? new CredentialsRefused(`${answer.url}: responded with status 400: the token is refused`)
    : new FeedError(`${answer.url}: responded with status 400 (${excerpt(answer.text())})`);
}
