import { z } from 'zod';
import { CredentialsRefused, type Feed, FeedError } from '../feeds/feed.js';
import type { HttpAnswer } from '../feeds/http/client.js';
import { excerpt } from '../feeds/http/response.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { parseAnswer } from '../feeds/toolbox/json.js';

const SERVICE = 'https://www.banxico.org.mx/SieAPIRest/service/v1/series';

/** Series by the currency of which they price one unit. */
const SERIES: Readonly<Record<string, string>> = {
  SF43718: 'USD',
  SF46410: 'EUR',
  SF46407: 'GBP',
  SF46406: 'JPY',
  SF60632: 'CAD',
};

const schema = z.object({
  bmx: z.object({
    series: z.array(
      z.object({
        idSerie: z.string(),
        datos: z.array(z.object({ fecha: z.string(), dato: z.string().nullish() })).nullish(),
      }),
    ),
  }),
});

/** Banco de México: pesos for one unit of five currencies, the dollar at its FIX. Series come in any order. */
export const feed: Feed = {
  key: 'BANXICO',
  credentials: ['BANXICO_API_KEY'],

  async *rows({ from, to }, { http, credentials }) {
    const answer = await http.get(`${SERVICE}/${Object.keys(SERIES).join(',')}/datos/${from}/${to}`, {
      headers: { 'bmx-token': credentials.BANXICO_API_KEY ?? '' },
      answers: [400],
    });
    if (answer.status === 400) throw refusal(answer);
    for (const { idSerie, datos } of parseAnswer(schema, answer).bmx.series) {
      const base = SERIES[idSerie];
      for (const { fecha, dato } of datos ?? []) {
        const rate = pesos(dato);
        if (base && rate !== 0) yield { date: parseDate(fecha, 'DD/MM/YYYY'), base, quote: 'MXN', rate };
      }
    }
  },
};

/** 0 for the marks of a day without a rate: nothing, and `N/E`, "no existe". NaN for what is no number. */
function pesos(printed: string | null | undefined): number {
  return printed === 'N/E' ? 0 : Number((printed ?? '').replaceAll(',', ''));
}

/** Only the bank's words tell a token that it does not know from another bad request. They may repeat the token. */
function refusal(answer: HttpAnswer): FeedError {
  return /token/i.test(answer.text())
    ? new CredentialsRefused(`${answer.url}: answered 400: the token is refused`)
    : new FeedError(`${answer.url}: answered 400 (${excerpt(answer.text())})`);
}
