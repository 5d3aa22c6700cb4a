import { type Feed, FeedError } from '../feeds/feed.js';
import { csvLines } from '../feeds/toolbox/csv.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { numberOrMissing } from '../feeds/toolbox/numbers.js';

const URL = 'https://www.rba.gov.au/statistics/tables/csv/f11.1-data.csv';

/** Reserve Bank of Australia: what one Australian dollar costs at 4 pm in Sydney, table F11.1 since 2023 in one file. */
export const feed: Feed = {
  key: 'RBA',

  async *rows(_window, { http }) {
    const answer = await http.get(URL);
    const lines = csvLines(answer);
    const header = lines.findIndex(([first]) => first === 'Units');
    const quotes = lines[header]?.map(quoteOf);
    if (!quotes) throw new FeedError(`${answer.url}: no line "Units" names the currencies`);
    for (const [day = '', ...cells] of lines.slice(header + 1)) {
      if (!/^\d{2}-[A-Za-z]{3}-\d{4}$/.test(day)) continue;
      const date = parseDate(day, 'DD-Mon-YYYY');
      for (const [at, cell] of cells.entries()) {
        const quote = quotes[at + 1];
        if (quote === undefined) continue;
        const rate = numberOrMissing(cell);
        if (rate !== undefined) yield { date, base: 'AUD', quote, rate };
      }
    }
  },
};

/** The code of a column; the trade-weighted index among them has none. */
function quoteOf(unit: string): string | undefined {
  if (unit === '' || unit === 'Units' || unit === 'Index') return undefined;
  return unit === 'SDR' ? 'XDR' : unit;
}
