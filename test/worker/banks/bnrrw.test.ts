import { feed } from '../../../worker/banks/bnrrw.js';
import { casesOf, type SeenRequest } from './cases.js';

type Figure = [currency: string, average: string, date: string, buying?: string, selling?: string];
const history =
  (...figures: Figure[]) =>
  ({ query }: SeenRequest) =>
    JSON.stringify(
      figures
        .filter(([currency]) => currency === query.get('currency_name'))
        .map(([currency_name, average_rate, post_date, buying_rate = '', selling_rate = '']) => ({
          ...{ currency_name, buying_rate, average_rate, selling_rate, post_date },
        })),
    );
const { reads, nothing } = casesOf(feed, '2026-05-18..2026-05-22', 'GET fxrates.bnr.rw/currency_history/');
reads('the published average in francs for one unit, in any order of days', {
  given: history(
    ['USD', '1268.25', '05-Jan-24', '1263.25', '1273.25'],
    ['USD', '1,267.50', '04-Jan-24'],
    ['BIF', '0.490858', '04-Jan-24'],
  ),
  rates: ['2024-01-05 USD/RWF 1268.25', '2024-01-04 USD/RWF 1267.5, BIF/RWF 0.490858'],
  sides: ['2024-01-05 USD/RWF 1263.25 1273.25'],
  count: 16,
  asks: ['currency_name=USD&start_date=2024-01-04&end_date=2024-01-05'],
});
nothing('a window without rates is an empty list', '[]');
reads('a rate is null or blank on days without one', {
  given: history(['USD', '', '19-May-26']),
  noData: ['a rate is null or blank on days without one', 'a window without rates is an empty list'],
});
