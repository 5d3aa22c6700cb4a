import { type Feed, ratesFrom, skipped } from '../feeds/feed.js';
import { codeTable } from '../feeds/toolbox/code-table.js';
import { csvFigures } from '../feeds/toolbox/csv.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { numberOrMissing } from '../feeds/toolbox/numbers.js';

/** The export requires `page` without a value. */
const ENDPOINT = 'https://www.bankofbotswana.bw/export/exchange-rates.csv?page&_format=csv';

const CODES = codeTable(`
  CNY CHN, EUR EUR, GBP GBP, USD USD, JPY YEN, ZAR ZAR`);

/** The file ends without a line break, so only its decimals show that the last figure is complete. */
const WHOLE = /^\d+\.\d{4}$/;

/**
 * Bank of Botswana: the price of one pula, the whole archive in one file, in no strict order. If a day occurs twice the
 * first counts. 0.0000 is a rate that was not published.
 */
export const feed: Feed = {
  key: 'BOB',

  async *read(_window, { http }) {
    const response = await http.get(ENDPOINT);
    const figures = csvFigures(response, ([first]) => first === 'Date', { endsOpen: true });
    yield ratesFrom(response, 'any day', figures, ({ first, heading, cell = '' }) =>
      heading === 'SDR'
        ? skipped('the SDR')
        : {
            date: parseDate(first, 'DD Mon YYYY'),
            base: 'BWP',
            quote: CODES.get(heading),
            rate: cell === '' || WHOLE.test(cell) ? numberOrMissing(cell) : Number.NaN,
          },
    );
  },
};
