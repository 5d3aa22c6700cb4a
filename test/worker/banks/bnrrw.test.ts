import { feed } from '../../../worker/banks/bnrrw.js';
import { casesOf, type SeenRequest } from './cases.js';

type Figure = [currency: string, average: string | undefined, date: string | undefined];
const history =
  (...figures: Figure[]) =>
  ({ query }: SeenRequest) =>
    JSON.stringify(
      figures
        .filter(([currency]) => currency === query.get('currency_name'))
        .map(([currency_name, average_rate, post_date]) => ({
          ...{ currency_name, buying_rate: '1', average_rate, selling_rate: '2', post_date },
        })),
    );
const PLACE = 'GET fxrates.bnr.rw/currency_history/';
const { reads, nothing, refuses } = casesOf(feed, '2026-05-18..2026-05-22', PLACE);
reads('the published average in francs for one unit, in any order of days', {
  given: history(
    ['USD', '1268.25', '05-Jan-24'],
    ['USD', '1,267.50', '04-Jan-24'],
    ['BIF', '0.490858', '04-Jan-24'],
  ),
  rates: ['2024-01-05 USD/RWF 1268.25', '2024-01-04 USD/RWF 1267.5, BIF/RWF 0.490858'],
  count: 16,
  asks: ['currency_name=USD&start_date=2024-01-04&end_date=2024-01-05'],
});
nothing('a window without rates is an empty list', '[]');
reads('corrupt and missing records are left out, the others read', {
  given: history(
    ['USD', '1463.065', '19-May-26'],
    ['USD', '20-May-26', '20-May-26'],
    ['USD', '1463.1', '2026'],
    ['USD', undefined, '21-May-26'],
    ['USD', '1463.2', undefined],
    ['EUR', '0', '19-May-26'],
  ),
  rates: ['2026-05-19 USD/RWF 1463.065'],
});
refuses([
  ['fields of other names', '[{"currency":"USD","average":"1463","date":"2026-05-19"}]', /0 of 1 records/],
  ['an answer without one readable record', history(['USD', 'n/a', '19-May-26']), /0 of 1 records/],
]);
