import { feed } from '../../../worker/banks/bcb.js';
import { casesOf, type SeenRequest } from './cases.js';

const bulletin = (dataHoraCotacao: string, cotacaoVenda: number | null, tipoBoletim = 'Fechamento') => ({
  ...{ paridadeCompra: 1.37, paridadeVenda: 1.3704, cotacaoCompra: 3.6693 },
  ...{ cotacaoVenda, dataHoraCotacao, tipoBoletim },
});
const bulletins =
  (values: Record<string, object[]>) =>
  ({ query }: SeenRequest) =>
    JSON.stringify({ value: values[query.get('@moeda')?.replaceAll("'", '') ?? ''] ?? [] });
const PLACE =
  'GET olinda.bcb.gov.br/olinda/servico/PTAX/versao/v1/odata/CotacaoMoedaPeriodo(moeda=@moeda,dataInicial=@dataInicial,dataFinalCotacao=@dataFinalCotacao)';
const { reads, nothing } = casesOf(feed, '2026-03-01..2026-03-03', PLACE);
const asked = (code: string) =>
  `@moeda='${code}'&@dataInicial='03-01-2026'&@dataFinalCotacao='03-03-2026'&$filter=tipoBoletim eq 'Fechamento'&$format=json`;
reads('the selling price of the closing bulletin, one request a currency', {
  given: bulletins({
    AUD: [bulletin('2026-03-02 10:09:26.433', 3.5, 'Abertura'), bulletin('2026-03-02 13:09:26.433', 3.6702)],
    JPY: [bulletin('2026-03-02 13:09:26.433', 0.03297), bulletin('2026-03-03 13:10:27.879', 0.033)],
    USD: [bulletin('2026-03-02 13:09:26.433', null), bulletin('2026-03-03 13:09:26.433', 0)],
  }),
  rates: ['2026-03-02 AUD/BRL 3.6702, JPY/BRL 0.03297', '2026-03-03 JPY/BRL 0.033'],
  sides: ['2026-03-02 AUD/BRL 3.6693 3.6702', '2026-03-02 JPY/BRL - -'],
  asks: ['AUD', 'CAD', 'CHF', 'DKK', 'EUR', 'GBP', 'JPY', 'NOK', 'SEK', 'USD'].map(asked),
});
nothing('a window without bulletins is an empty list', bulletins({}));
reads('a price is null where none was asked', {
  given: bulletins({ USD: [bulletin('2026-03-02 13:09:26.433', null)] }),
  noData: ['a window without bulletins is an empty list', 'a price is null where none was asked'],
});
