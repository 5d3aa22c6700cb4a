import { type Feed, ratesFrom, skipped } from '../feeds/feed.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { clean, htmlPage } from '../feeds/toolbox/html.js';
import { numberOf } from '../feeds/toolbox/numbers.js';

const ENDPOINT = 'https://www.rbv.gov.vu/index.php/en/exchange-rates';
/** The start of the list. A row with an earlier date has a typo in its year. */
const FIRST_DAY = '2025-08-26';

/** The names in the classes of the cells. */
const COLUMNS = ['usd', 'jpy', 'nzd', 'GBP', 'aud', 'eur'];

/** Reserve Bank of Vanuatu: vatu for one unit of each currency of the basket, the whole list on one page. */
export const feed: Feed = {
  key: 'RBV',

  async *read(_window, { http }) {
    const response = await http.get(ENDPOINT, { query: { limit1: 100_000 } });
    const page = htmlPage(response);
    const figures = page('tr.fabrik_row')
      .toArray()
      .flatMap((row) => {
        const cell = (name: string) => clean(page(row).find(`td.exchange_rates___${name}`).text());
        return COLUMNS.map((name) => ({ day: cell('date'), name, price: cell(name) }));
      });
    yield ratesFrom(response, 'any day', figures, ({ day, name, price }) => {
      const date = parseDate(day, day.includes('-') ? 'D-Mon-YY' : 'D Mon YYYY');
      if (date < FIRST_DAY) return skipped('a slip in the year');
      return { date, base: name.toUpperCase(), quote: 'VUV', rate: numberOf(price) };
    });
  },
};
