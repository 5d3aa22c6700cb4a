import * as z from 'zod';
import { type Feed, ratesFrom, skipped, withSides } from '../feeds/feed.js';
import { formatDate, parseDate } from '../feeds/toolbox/dates.js';
import { parseJson } from '../feeds/toolbox/json.js';
import { numberOrMissing } from '../feeds/toolbox/numbers.js';

const SERVICE = 'https://olinda.bcb.gov.br/olinda/servico/PTAX/versao/v1/odata';
const FUNCTION =
  'CotacaoMoedaPeriodo(moeda=@moeda,dataInicial=@dataInicial,dataFinalCotacao=@dataFinalCotacao)';

const CURRENCIES = 'AUD CAD CHF DKK EUR GBP JPY NOK SEK USD'.split(' ');

/** The bulletin of the end of the day. Others are for its opening and for hours between. */
const CLOSING = 'Fechamento';

const price = z.number().nullable();
const prices = { cotacaoCompra: price, cotacaoVenda: price };
const schema = z.object({
  value: z.array(z.object({ ...prices, dataHoraCotacao: z.string(), tipoBoletim: z.string() })),
});

/** Central Bank of Brazil: the asking price of one unit in the closing PTAX bulletin, in reais. One request per currency. */
export const feed: Feed = {
  key: 'BCB',
  reading: 2,
  pauseMs: 200,
  currencyByCurrency: true,
  empty: 'a window without bulletins is an empty list',
  blank: 'a price is null where none was asked',

  async *read(window, { http }) {
    const [first, last] = [window.from, window.to].map((day) => formatDate(day, 'MM-DD-YYYY'));
    for (const base of CURRENCIES) {
      const response = await http.get(`${SERVICE}/${FUNCTION}`, {
        query: {
          '@moeda': `'${base}'`,
          '@dataInicial': `'${first}'`,
          '@dataFinalCotacao': `'${last}'`,
          $filter: `tipoBoletim eq '${CLOSING}'`,
          $format: 'json',
        },
      });
      const records = parseJson(response, schema).value;
      yield ratesFrom(response, window, records, ({ dataHoraCotacao, tipoBoletim, ...price }) => {
        const { cotacaoCompra: buy, cotacaoVenda: sell } = price;
        if (tipoBoletim !== CLOSING) return skipped('not the closing bulletin');
        const date = parseDate(dataHoraCotacao, 'YYYY-MM-DD');
        return { date, base, quote: 'BRL', ...withSides(numberOrMissing, sell, buy, sell) };
      });
    }
  },
};
