import { type Feed, mismatch, ratesFrom, sidesOf } from '../feeds/feed.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { clean, htmlPage, linksOf, tableRecords } from '../feeds/toolbox/html.js';
import { numberOf } from '../feeds/toolbox/numbers.js';

const ENDPOINT = 'https://www.cbl.org.lr/research/buying-selling-rates';
/** More than ten times the archive of 2026. A longer list would be endless. */
const MOST_PAGES = 500;

/** Central Bank of Liberia: the midpoint of buying and selling in Liberian dollars for a US dollar, from a paged list. */
export const feed: Feed = {
  key: 'CBLLR',
  reading: 2,

  async *read({ from }, { http }) {
    let [oldest, last] = ['9999-12-31', 0];
    for (let number = 0; number <= last; number++) {
      const response = await http.get(ENDPOINT, { query: { page: number || undefined } });
      const page = htmlPage(response);
      last = Math.max(last, ...linksOf(page, /[?&]page=(\d+)/).map(([, index]) => Number(index)));
      const reading = ratesFrom(
        response,
        'any day',
        tableRecords(page, '.view-content table', ['Date', 'Buying', 'Selling'], response),
        (row) => ({
          date: parseDate(row.Date.replace(/^\w+, /, ''), 'Mon D, YYYY'),
          base: 'USD',
          quote: 'LRD',
          ...sidesOf(priceIn(row.Buying), priceIn(row.Selling)),
        }),
      );
      yield reading;
      // Newest first.
      const dates = reading.rates.map(({ date }) => date).sort();
      if ((dates[0] ?? '') <= from) return;
      if ((dates[0] ?? '') >= oldest || number === MOST_PAGES) {
        yield mismatch(response, `goes back no further than ${oldest}, though the list goes on`);
        return;
      }
      oldest = dates[0] ?? '';
    }
  },
};

/** The number in `L$182.0819/US$1.00`. */
function priceIn(text: string): number {
  return numberOf(/^L\$ ?([\d.,]+) ?\/ ?US\$/.exec(clean(text))?.[1]);
}
