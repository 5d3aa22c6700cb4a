import { z } from 'zod';
import type { Feed } from '../feeds/feed.js';
import { formatDate, parseDate } from '../feeds/toolbox/dates.js';
import { parseAnswer } from '../feeds/toolbox/json.js';

const SERVICE = 'https://olinda.bcb.gov.br/olinda/servico/PTAX/versao/v1/odata';
const FUNCTION =
  'CotacaoMoedaPeriodo(moeda=@moeda,dataInicial=@dataInicial,dataFinalCotacao=@dataFinalCotacao)';

const CURRENCIES = 'AUD CAD CHF DKK EUR GBP JPY NOK SEK USD'.split(' ');

/** The bulletin of the end of the day, among those of its opening and of hours between. */
const CLOSING = 'Fechamento';

const schema = z.object({
  value: z.array(
    z.object({
      cotacaoVenda: z.number().nullish(),
      dataHoraCotacao: z.string(),
      tipoBoletim: z.string(),
    }),
  ),
});

/** Central Bank of Brazil: what the bank asks for one unit in the closing PTAX bulletin, in reais. One request a currency. */
export const feed: Feed = {
  key: 'BCB',

  async *rows({ from, to }, { http }) {
    const [first, last] = [from, to].map((day) => formatDate(day, 'MM-DD-YYYY'));
    for (const base of CURRENCIES) {
      const answer = await http.get(`${SERVICE}/${FUNCTION}`, {
        query: {
          '@moeda': `'${base}'`,
          '@dataInicial': `'${first}'`,
          '@dataFinalCotacao': `'${last}'`,
          $filter: `tipoBoletim eq '${CLOSING}'`,
          $format: 'json',
        },
      });
      await http.pause(200);
      for (const { cotacaoVenda: rate, dataHoraCotacao, tipoBoletim } of parseAnswer(schema, answer).value) {
        if (!rate || tipoBoletim !== CLOSING || dataHoraCotacao.length < 10) continue;
        yield { date: parseDate(dataHoraCotacao, 'YYYY-MM-DD'), base, quote: 'BRL', rate };
      }
    }
  },
};
