import { feed } from '../../../worker/banks/bcch.js';
import { CredentialsRefused, casesOf, formatDate, type SeenRequest } from './cases.js';

const answer = (seriesId: string | null, Obs: object[] | null, Codigo = 0, Descripcion = 'Success') =>
  JSON.stringify({ Codigo, Descripcion, Series: { descripEsp: '', seriesId, Obs }, SeriesInfos: [] });
const observation = ([indexDateString, value, statusCode]: [string, string, string]) => ({
  ...{ indexDateString, value, statusCode },
});
const series =
  (values: Record<string, [day: string, value: string, status: string][]>) =>
  ({ query }: SeenRequest) => {
    const id = query.get('timeseries') ?? '';
    return answer(id, (values[id] ?? []).map(observation));
  };
const PLACE = 'GET si3.bcentral.cl/SieteRestWS/SieteRestWS.ashx';
const { reads, empty, nothing, refuses, codes } = casesOf(feed, '2026-03-06..2026-03-07', PLACE);
const DOLLAR = 'F073.TCO.PRE.Z.D';

reads('pesos for one unit, days marked ND left out', {
  given: series({
    [DOLLAR]: [
      ['06-03-2026', '1,916.36', 'OK'],
      ['07-03-2026', 'NaN', 'ND'],
    ],
    'F072.CLP.JPY.N.O.D': [['06-03-2026', '5.59', 'OK']],
  }),
  rates: ['2026-03-06 USD/CLP 1916.36, JPY/CLP 5.59'],
  count: 8,
  asks: [
    `user=<BCCH_USER>&pass=<BCCH_PASS>&function=GetSeries&timeseries=${DOLLAR}&firstdate=2026-03-06&lastdate=2026-03-07`,
  ],
});
codes(
  ({ day, code, price }) =>
    series({ [`F072.CLP.${code}.N.O.D`]: [[formatDate(day, 'DD-MM-YYYY'), String(price), 'OK']] }),
  '1994-06-30 BRL 0.15 1 BRR/CLP 0.15',
  '1994-07-01 BRL 420 1 BRL/CLP 420',
);
nothing('days without a rate may not be listed', answer(null, null));
empty('a value of zero is no rate', series({ 'F072.CLP.EUR.N.O.D': [['06-03-2026', '0', 'OK']] }));
refuses([
  ['a login that is refused', answer(null, null, -5, 'Invalid username or password'), CredentialsRefused],
  ['an unknown series', '{"Codigo":-50,"Descripcion":"Invalid series"}', /code -50: Invalid series/],
  ['another series', answer('F072.CLP.EUR.N.O.D', []), /with the series F072/],
]);
