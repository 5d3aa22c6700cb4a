import { feed } from '../../../worker/banks/bcc.js';
import { casesOf, type SeenRequest } from './cases.js';

const history =
  (values: Record<string, Record<string, number | null>>) =>
  ({ query }: SeenRequest) =>
    JSON.stringify(
      Object.entries(values[query.get('codigoMoneda') ?? ''] ?? {}).map(([fecha, tasaEspecial]) => ({
        ...{ fecha, tasaOficial: 24, tasaPublica: 120, tasaEspecial },
      })),
    );
const PLACE = 'GET api.bc.gob.cu/v1/tasas-de-cambio/historico';
const { reads, nothing, refuses } = casesOf(feed, '2026-05-19..2026-05-20', PLACE);
reads('the special rate in pesos for one unit, the yen turned round', {
  given: history({
    USD: { '2026-05-19': 502, '2026-05-20': 503.5 },
    JPY: { '2026-05-19': 0.31668 },
    EUR: { '2026-05-20': null },
  }),
  rates: ['2026-05-19 USD/CUP 502', '2026-05-20 USD/CUP 503.5', '2026-05-19 JPY/CUP 3.15776177845'],
  count: 13,
  asks: ['fechaInicio=2026-05-19&fechaFin=2026-05-20&codigoMoneda=USD'],
});
reads('a yen that is printed the right way round, or that no dollar confirms, is not turned', {
  days: '2026-05-19..2026-05-21',
  given: history({
    USD: { '2026-05-19': 502, '2026-05-20': 502 },
    JPY: { '2026-05-19': 0.31668, '2026-05-20': 3.15776, '2026-05-21': 0.31668 },
  }),
  rates: ['2026-05-19 USD/CUP 502', '2026-05-20 USD/CUP 502', '2026-05-19 JPY/CUP 3.15776177845'],
  dropped: { malformed: 2 },
});
reads('nothing is asked for before the first day', { days: '2025-11-01..2025-12-18', asks: [] });
nothing('days without a rate are an empty list', '[]');
reads('the special rate is null on days without one', {
  given: history({ USD: { '2026-05-20': null } }),
  noData: ['the special rate is null on days without one', 'days without a rate are an empty list'],
});
const pesos = history({ USD: { '2026-05-19': 502 }, JPY: { '2026-05-19': 3.15776 } });
refuses([['a yen in pesos', pesos, /1585\.\d+ yen for a dollar/]]);
