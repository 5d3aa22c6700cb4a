import { type Feed, FeedError } from '../feeds/feed.js';
import { csvLines } from '../feeds/toolbox/csv.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { numberOrMissing } from '../feeds/toolbox/numbers.js';

/** The export wants `page` without a value. */
const URL = 'https://www.bankofbotswana.bw/export/exchange-rates.csv?page&_format=csv';

/** Of the columns, the SDR is left out. */
const CODES: ReadonlyMap<string, string> = new Map([
  ['CHN', 'CNY'],
  ['EUR', 'EUR'],
  ['GBP', 'GBP'],
  ['USD', 'USD'],
  ['YEN', 'JPY'],
  ['ZAR', 'ZAR'],
]);

/**
 * Bank of Botswana: what one pula costs, the whole archive in one file, in no strict order. Of a day that stands
 * there twice the first counts; 0.0000 is a rate that was not published.
 */
export const feed: Feed = {
  key: 'BOB',

  async *rows(_window, { http }) {
    const answer = await http.get(URL);
    const lines = csvLines(answer);
    const header = lines.findIndex((line) => line.includes('Date'));
    const labels = lines[header] ?? [];
    const columns = labels.flatMap((label, at) => {
      const quote = CODES.get(label);
      return quote === undefined ? [] : [{ quote, at }];
    });
    if (columns.length === 0) {
      throw new FeedError(`${answer.url}: no line names Date and any of ${[...CODES.keys()].join(', ')}`);
    }
    for (const cells of lines.slice(header + 1)) {
      const date = parseDate(cells[labels.indexOf('Date')] ?? '', 'DD Mon YYYY');
      for (const { quote, at } of columns) {
        const rate = numberOrMissing(cells[at]);
        if (rate) yield { date, base: 'BWP', quote, rate };
      }
    }
  },
};
