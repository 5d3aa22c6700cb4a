import { type Feed, FeedError } from '../feeds/feed.js';
import { dateOrNone } from '../feeds/toolbox/dates.js';
import { clean, htmlPage, linksOf, type Page } from '../feeds/toolbox/html.js';
import { midpoint } from '../feeds/toolbox/midpoint.js';
import { numberOrNaN } from '../feeds/toolbox/readable.js';

const URL = 'https://www.cbl.org.lr/research/buying-selling-rates';
/** More than ten times the archive of 2026: a list that long does not end. */
const MOST_PAGES = 500;

/** Central Bank of Liberia: the midpoint of buying and selling in Liberian dollars for a US dollar, in a paged list. */
export const feed: Feed = {
  key: 'CBLLR',

  async *rows({ from }, { http }) {
    let oldest: string | undefined;
    for (let number = 0, last = 0; number < MOST_PAGES; number++) {
      if (number > 0) await http.pause(500);
      const answer = await http.get(URL, { query: { page: number || undefined } });
      const page = htmlPage(answer);
      last = Math.max(last, ...linksOf(page, /[?&]page=(\d+)/).map(([, index]) => Number(index)));
      const rows = rowsOf(page);
      if (rows.length === 0 && number > last) return;
      if (rows.length === 0)
        throw new FeedError(`${answer.url}: no row of rates can be read: blocked, moved or redesigned`);
      for (const { date, rate } of rows) yield { date, base: 'USD', quote: 'LRD', rate };
      // A list that goes back no further has come to its end, whatever pages it still offers.
      const before = oldest;
      if (before !== undefined && rows.every(({ date }) => date >= before)) return;
      oldest = rows.at(-1)?.date;
      // Newest first.
      if (rows.some(({ date }) => date <= from)) return;
    }
    throw new FeedError(`${URL}: more than ${MOST_PAGES} pages`);
  },
};

function rowsOf(page: Page): { date: string; rate: number }[] {
  const lines = page('.view-content table tr').toArray();
  return lines.flatMap((line) => {
    const cell = (name: string) => page(line).find(`td.views-field-field-${name}`);
    const date = dateOrNone(cell('content-post-date').find('time').attr('datetime') ?? '', 'YYYY-MM-DD');
    const [buying, selling] = [priceIn(cell('buying-us').text()), priceIn(cell('selling-us').text())];
    return date && buying > 0 && selling > 0 ? [{ date, rate: midpoint(buying, selling) }] : [];
  });
}

/** The number of `L$182.0819/US$1.00`; NaN where there is a note instead. */
function priceIn(text: string): number {
  return numberOrNaN(/^L\$ ?([\d.,]+) ?\/ ?US\$/.exec(clean(text))?.[1]);
}
