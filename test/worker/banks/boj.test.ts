import { feed } from '../../../worker/banks/boj.js';
import { casesOf } from './cases.js';

const result = (more: object, ...series: [string, (number | string)[], (number | null)[]][]) =>
  JSON.stringify({
    ...{ STATUS: 200, MESSAGEID: 'M181000I', NEXTPOSITION: null },
    RESULTSET: series.map(([SERIES_CODE, SURVEY_DATES, VALUES]) => ({
      ...{ SERIES_CODE, VALUES: { SURVEY_DATES, VALUES } },
    })),
    ...more,
  });
const PLACE = 'GET www.stat-search.boj.or.jp/api/v1/getDataCode';
const { reads, nothing, refuses } = casesOf(feed, '2026-03-02..2026-03-03', PLACE);
reads('yen per dollar and dollars per euro, null where there was no market', {
  given: result(
    {},
    ['FXERD04', [20260301, 20260302, '20260303'], [null, 156.99, 157.1]],
    ['FXERD34', [20260302], [1.1716]],
    ['FXERD99', [20260302], [1]],
  ),
  rates: ['2026-03-02 USD/JPY 156.99', '2026-03-03 USD/JPY 157.1', '2026-03-02 EUR/USD 1.1716'],
  asks: ['startDate=202603'],
});
nothing('months without data are an empty list', result({ MESSAGEID: 'M181030I' }));
refuses([
  ['a refusal', { status: 400, body: '{"STATUS":400,"MESSAGEID":"M181001E"}' }, /status 400, M181001E/],
  ['a refusal with status 200', '{"STATUS":503,"MESSAGEID":"M181090S"}', /status 503/],
  ['a part only', result({ NEXTPOSITION: 255 }), /only a part/],
  ['fewer values than dates', result({}, ['FXERD04', [20260302, 20260303], [156.99]]), /as many values/],
]);
