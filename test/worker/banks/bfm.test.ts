import { feed } from '../../../worker/banks/bfm.js';
import { type Answer, casesOf, type SeenRequest } from './cases.js';

const answer = (coursMid: unknown, grapheData: unknown = [], status = 200) =>
  JSON.stringify({ code: 'x', message: '', data: { status, data: { coursMid, grapheData } } });
/** One answer for a currency, an empty one for all others. */
const only = (code: string, given: Answer) => ({
  'POST www.banky-foibe.mg/admin/wp-json/bfm/cours_mid_en_ar_filter': ({ form }: SeenRequest) =>
    form.get('filterData') === code ? given : answer([]),
});
const { reads, nothing, refuses } = casesOf(feed, '2026-09-21..2026-09-22');
reads('ariary for one unit, asked for by currency', {
  given: only(
    'EUR',
    answer({ '2026-09-22': '4\u202f994,66', '2026-09-21': 'N/A' }, { '2026-09-22': '4994.66' }),
  ),
  rates: ['2026-09-22 EUR/MGA 4994.66'],
  skipped: { 'no rate': 1 },
  count: 19,
  asks: ['dateFilterDebut=2026%2F09%2F21&dateFilterFin=2026%2F09%2F22&filterData=EUR'],
});
nothing('a window without rates is an empty list', only('', ''));
const usd = (...given: Parameters<typeof answer>) => only('USD', answer(...given));
refuses([
  ['a status of its own', usd([], [], 500), /data\.status/],
  ['another figure in the graph', usd({ '2026-09-22': '4 994' }, { '2026-09-22': '4995' }), /in the graph/],
]);
