import { feed } from '../../../worker/banks/bcrp.js';
import { casesOf } from './cases.js';

const answer = (periods: Record<string, string[]>, names = ['TC - Compra', 'TC - Venta']) => ({
  headers: { 'content-type': 'text/html; charset=UTF-8' },
  body: JSON.stringify({
    config: { title: 'Tipo de cambio', series: names.map((name) => ({ name, dec: '3' })) },
    periods: Object.entries(periods).map(([name, values]) => ({ name, values })),
  }),
});
const PLACE =
  'GET estadisticas.bcrp.gob.pe/estadisticas/series/api/PD04639PD-PD04640PD/json/2026-09-01/2026-09-08/ing';
const { reads, nothing, refuses } = casesOf(feed, '2026-09-01..2026-09-08', PLACE);
reads('the middle of both quotes, September in Spanish', {
  given: answer({
    '01.Set.26': ['3.36', '3.368'],
    '04.Sep.26': ['3.36', '3.369'],
    '07.Set.26': ['3.4', 'n.d.'],
  }),
  rates: ['2026-09-01 USD/PEN 3.364', '2026-09-04 USD/PEN 3.3645'],
  sides: ['2026-09-01 USD/PEN 3.36 3.368'],
  skipped: { 'no rate': 1 },
});
nothing('a closed day is n.d.', answer({ '08.Set.26': ['n.d.', 'n.d.'] }));
nothing('a closed day is not listed', answer({}));
refuses([
  ['a row of one value', answer({ '01.Set.26': ['3.36'] }), /0 of 1 records/],
  ['another order', answer({}, ['TC - Venta', 'TC - Compra']), /series 1 is "TC - Venta", not Compra/],
]);
