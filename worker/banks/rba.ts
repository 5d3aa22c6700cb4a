import { type Feed, ratesFrom, skipped } from '../feeds/feed.js';
import { csvFigures } from '../feeds/toolbox/csv.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { numberOrMissing } from '../feeds/toolbox/numbers.js';

const ENDPOINT = 'https://www.rba.gov.au/statistics/tables/csv/f11.1-data.csv';
/** The lines between the line of units and the days. */
const NOTES = ['Source', 'Publication date', 'Series ID'];

/** Reserve Bank of Australia: the price of one Australian dollar at 4 pm in Sydney, table F11.1 since 2023 in one file. */
export const feed: Feed = {
  key: 'RBA',

  async *read(_window, { http }) {
    const response = await http.get(ENDPOINT);
    const figures = csvFigures(response, ([first]) => first === 'Units');
    const days = figures.filter(({ first = '' }) => !NOTES.includes(first));
    yield ratesFrom(response, 'any day', days, ({ first, heading, cell }) =>
      heading === 'Index'
        ? skipped('the trade-weighted index')
        : {
            date: parseDate(first, 'DD-Mon-YYYY'),
            base: 'AUD',
            quote: heading,
            rate: numberOrMissing(cell),
          },
    );
  },
};
