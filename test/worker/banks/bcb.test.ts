import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/bcb.js';
import { blockedPage, readFeed } from '../feeds/support.js';

const WINDOW = '2026-03-01..2026-03-03';
const PLACE =
  'GET olinda.bcb.gov.br/olinda/servico/PTAX/versao/v1/odata/CotacaoMoedaPeriodo(moeda=@moeda,dataInicial=@dataInicial,dataFinalCotacao=@dataFinalCotacao)';
const bulletin = (dataHoraCotacao: string, cotacaoVenda: number | null, tipoBoletim = 'Fechamento') => ({
  paridadeCompra: 1.37,
  paridadeVenda: 1.3704,
  cotacaoCompra: 3.6,
  cotacaoVenda,
  dataHoraCotacao,
  tipoBoletim,
});
const bulletins =
  (values: Record<string, object[]>) =>
  ({ query }: { query: URLSearchParams }) =>
    JSON.stringify({ value: values[query.get('@moeda')?.replaceAll("'", '') ?? ''] ?? [] });

test('the selling price of the closing bulletin, one request a currency', async () => {
  const { rows, requests } = await readFeed(feed, WINDOW, {
    [PLACE]: bulletins({
      AUD: [
        bulletin('2026-03-02 10:09:26.433', 3.5, 'Abertura'),
        bulletin('2026-03-02 13:09:26.433', 3.6702),
      ],
      JPY: [bulletin('2026-03-02 13:09:26.433', 0.03297), bulletin('2026-03-03 13:10:27.879', 0.033)],
    }),
  });
  expect(rows).toEqual([
    ['2026-03-02', 'AUD', 'BRL', 3.6702],
    ['2026-03-02', 'JPY', 'BRL', 0.03297],
    ['2026-03-03', 'JPY', 'BRL', 0.033],
  ]);
  expect(requests).toHaveLength(10);
  expect(Object.fromEntries(requests[9]?.query ?? [])).toEqual({
    '@moeda': "'USD'",
    '@dataInicial': "'03-01-2026'",
    '@dataFinalCotacao': "'03-03-2026'",
    $filter: "tipoBoletim eq 'Fechamento'",
    $format: 'json',
  });
});

test('no bulletins, and bulletins without a price', async () => {
  expect((await readFeed(feed, WINDOW, { [PLACE]: bulletins({}) })).rows).toEqual([]);
  const gaps = bulletins({
    USD: [bulletin('2026-03-02 13:09:26.433', null), bulletin('2026-03-03 13:09:26.433', 0)],
  });
  expect((await readFeed(feed, WINDOW, { [PLACE]: gaps })).rows).toEqual([]);
});

test.each([
  ['a blocked page', blockedPage, /HTML page/],
  ['an answer without a list', '{"error":"x"}', /documented form at value/],
  ['a price that is no number', '{"value":[{"cotacaoVenda":"5,1"}]}', /cotacaoVenda/],
  ['a date in another form', bulletins({ AUD: [bulletin('02/03/2026 13:09', 5)] }), /not a date/],
])('%s is an error', async (_, answer, message) => {
  await expect(readFeed(feed, WINDOW, { [PLACE]: answer })).rejects.toThrow(message);
});
