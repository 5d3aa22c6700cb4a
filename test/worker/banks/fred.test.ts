import { feed } from '../../../worker/banks/fred.js';
import { CredentialsRefused, casesOf, type SeenRequest } from './cases.js';

const series =
  (values: Record<string, Record<string, string>>) =>
  ({ query }: SeenRequest) =>
    JSON.stringify({
      observations: Object.entries(values[query.get('series_id') ?? ''] ?? {}).map(([date, value]) => ({
        ...{ date, value },
      })),
    });
const refused = (error_message: string) => ({
  status: 400,
  body: JSON.stringify({ error_code: 400, error_message }),
});
const PLACE = 'GET api.stlouisfed.org/fred/series/observations';
const { reads, nothing, refuses } = casesOf(feed, '2026-03-02..2026-03-04', PLACE);
reads('each series in its own direction, holidays left out', {
  given: series({
    DEXBZUS: { '2026-03-02': '5.1901', '2026-03-03': '.' },
    DEXUSEU: { '2026-03-02': '1.1444' },
  }),
  rates: ['2026-03-02 USD/BRL 5.1901, EUR/USD 1.1444'],
  count: 22,
  asks: ['observation_start=2026-03-02 & api_key=<FRED_API_KEY>'],
});
nothing('days after the last release are not listed', series({}));
refuses([
  ['a key that is refused', refused('The value for variable api_key is not registered.'), CredentialsRefused],
  ['another bad request', refused('Bad series.'), /Bad series/],
]);
