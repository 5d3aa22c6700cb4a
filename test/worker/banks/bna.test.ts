import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/bna.js';
import { blockedPage, readFeed } from '../feeds/support.js';

const WINDOW = '2026-05-18..2026-05-19';
const PLACE = 'GET www.bna.ao/service/rest/taxas/get/evolucao/taxa/intervalo';
const row = (data: string, codigoMoeda: string, taxa: number | null, tipoCambio = 'M') => ({
  taxa,
  descricaoTipoCambio: 'Taxa de Referência - MEDIO',
  tipoCambio,
  data,
  designacaoMoeda: 'MOEDA',
  codigoMoeda,
});
const answer = (...genericResponse: object[]) => JSON.stringify({ genericResponse, success: true });

test('kwanzas for one unit of every currency, in one request from the day before', async () => {
  const { rows, requests } = await readFeed(feed, WINDOW, {
    [PLACE]: answer(
      row('2026-05-15', 'USD', 912.1),
      row('2026-05-18', 'USD', 912.5),
      row('2026-05-18', 'USD', 920, 'B'),
      row('2026-05-19', 'ALL', 11.18329),
    ),
  });
  expect(rows).toEqual([
    ['2026-05-18', 'USD', 'AOA', 912.5],
    ['2026-05-19', 'ALL', 'AOA', 11.18329],
  ]);
  expect(requests.map(({ query }) => query.toString())).toEqual([
    'datainicio=2026-05-17&datafim=2026-05-19&tipocambio=M&moeda=ALL',
  ]);
});

test('gold and drawing rights in dollars are not read, and codes past their end are dropped', async () => {
  const { rows, dropped } = await readFeed(feed, WINDOW, {
    [PLACE]: answer(
      row('2026-05-19', 'XAU', 4565.82),
      row('2026-05-19', 'XDRUSD', 1.36),
      row('2026-05-19', 'STD', 43.5),
    ),
  });
  expect(rows).toEqual([]);
  expect(dropped).toEqual({ 'after-end': 1 });
});

test('an empty list, and rates that are missing or zero', async () => {
  expect((await readFeed(feed, WINDOW, { [PLACE]: answer() })).rows).toEqual([]);
  const gaps = answer(row('2026-05-19', 'USD', 0), row('2026-05-19', 'EUR', null));
  expect((await readFeed(feed, WINDOW, { [PLACE]: gaps })).rows).toEqual([]);
});

test('a long window is asked for in parts without a gap', async () => {
  const { requests } = await readFeed(feed, '2026-01-01..2026-05-19', { [PLACE]: answer() });
  expect(requests.map(({ query }) => `${query.get('datainicio')}..${query.get('datafim')}`)).toEqual([
    '2025-12-31..2026-03-31',
    '2026-03-31..2026-05-19',
  ]);
});

test.each([
  ['a blocked page', blockedPage, /HTML page/],
  ['a failure', '{"success":false,"message":"datainicio \'null\' inválida."}', /datainicio 'null' inválida/],
  ['an answer without its list', '{"success":true}', /no success/],
  ['a list in another form', '{"success":true,"genericResponse":{}}', /genericResponse/],
  ['the lek alone', answer(row('2026-05-19', 'ALL', 11.18329)), /has ALL alone/],
  ['one currency alone', answer(row('2026-05-19', 'ARS', 0.7)), /has ARS alone/],
  ['a rate that is no number', answer({ ...row('2026-05-19', 'USD', 1), taxa: 'x' }), /taxa/],
  [
    'a date in another form',
    answer(row('19-05-2026', 'USD', 912), row('19-05-2026', 'EUR', 990)),
    /not a date/,
  ],
])('%s is an error', async (_, body, message) => {
  await expect(readFeed(feed, WINDOW, { [PLACE]: body })).rejects.toThrow(message);
});
