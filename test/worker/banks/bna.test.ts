import { feed } from '../../../worker/banks/bna.js';
import { casesOf } from './cases.js';

const row = (data: string, codigoMoeda: string, taxa: number | string | null, tipoCambio = 'M') => ({
  ...{ taxa, tipoCambio, data, codigoMoeda },
  ...{ descricaoTipoCambio: 'Taxa de Referência - MEDIO', designacaoMoeda: 'MOEDA' },
});
const answer = (...genericResponse: object[]) => JSON.stringify({ genericResponse, success: true });
const PLACE = 'GET www.bna.ao/service/rest/taxas/get/evolucao/taxa/intervalo';
const { reads, empty, nothing, refuses, codes } = casesOf(feed, '2026-05-18..2026-05-19', PLACE);
reads('kwanzas for one unit of every currency, in one request from the day before', {
  given: answer(
    row('2026-05-15', 'USD', 912.1),
    row('2026-05-18', 'USD', 912.5),
    row('2026-05-18', 'USD', 920, 'B'),
    row('2026-05-19', 'ALL', 11.18329),
  ),
  rates: ['2026-05-18 USD/AOA 912.5', '2026-05-19 ALL/AOA 11.18329'],
  asks: ['datainicio=2026-05-17&datafim=2026-05-19&tipocambio=M&moeda=ALL'],
});
codes(
  ({ day, code, price }) => answer(row(day, code, price), row(day, 'USD', 80)),
  '2006-07-03 MZM 3.1 1 MZN/AOA 3.1',
  '2006-06-30 MZM 0.0031 1 MZM/AOA 0.0031',
);
reads('gold and drawing rights in dollars are not read, and codes past their end are dropped', {
  given: answer(
    row('2026-05-19', 'XAU', 4565.82),
    row('2026-05-19', 'XDRUSD', 1.36),
    row('2026-05-19', 'STD', 43.5),
  ),
  dropped: { 'after-end': 1 },
});
nothing('a window without rates is an empty list', answer());
empty('zero is no rate', answer(row('2026-05-19', 'USD', 0), row('2026-05-19', 'EUR', null)));
reads('a long window is asked for in parts without a gap', {
  days: '2026-01-01..2026-05-19',
  given: answer(),
  asks: ['datainicio=2025-12-31 & datafim=2026-03-31', 'datainicio=2026-03-31 & datafim=2026-05-19'],
});
refuses([
  ['a failure', '{"success":false,"message":"datainicio \'null\' inválida."}', /datainicio 'null' inválida/],
  ['an answer without its list', '{"success":true}', /no success/],
  ['the lek alone', answer(row('2026-05-19', 'ALL', 11.18329)), /has ALL alone/],
  ['one currency alone', answer(row('2026-05-19', 'ARS', 0.7)), /has ARS alone/],
]);
