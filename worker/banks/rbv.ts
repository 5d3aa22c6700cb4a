import { type Feed, FeedError } from '../feeds/feed.js';
import { dateOrNone } from '../feeds/toolbox/dates.js';
import { clean, htmlPage } from '../feeds/toolbox/html.js';
import { numberOrNaN, readable } from '../feeds/toolbox/readable.js';

const URL = 'https://www.rbv.gov.vu/index.php/en/exchange-rates';
/** Where the list begins: a row dated before is one with a slip in its year. */
const FIRST_DAY = '2025-08-26';
const FORMS = ['D Mon YYYY', 'D-Mon-YY'];

/** The names in the cells' classes. */
const COLUMNS = ['usd', 'jpy', 'nzd', 'GBP', 'aud', 'eur'];

/** Reserve Bank of Vanuatu: vatu for one unit of each currency of the basket, the whole list on one page. */
export const feed: Feed = {
  key: 'RBV',

  async *rows(_window, { http }) {
    const answer = await http.get(URL, { query: { limit1: 100_000 } });
    const page = htmlPage(answer);
    const days = page('tr.fabrik_row').toArray();
    if (days.length === 0)
      throw new FeedError(`${answer.url}: no row of rates on the page: blocked, moved or redesigned`);
    const rows = days.flatMap((row) => {
      const cell = (name: string) => clean(page(row).find(`td.exchange_rates___${name}`).text());
      const date = FORMS.map((form) => dateOrNone(cell('date'), form)).find((day) => day !== undefined);
      if (date === undefined || date < FIRST_DAY) return [];
      return COLUMNS.map((name) => {
        return { date, base: name.toUpperCase(), quote: 'VUV', rate: numberOrNaN(cell(name)) };
      });
    });
    if (rows.length === 0) throw new FeedError(`${answer.url}: none of ${days.length} dates can be read`);
    yield* readable(rows, answer);
  },
};
