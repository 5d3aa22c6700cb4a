import { type Feed, FeedError } from '../feeds/feed.js';
import { excelDate } from '../feeds/toolbox/dates.js';
import { clean, htmlPage, linkTo } from '../feeds/toolbox/html.js';
import { monthNumber } from '../feeds/toolbox/month-names.js';
import { readWorkbook } from '../feeds/toolbox/workbook.js';

const PAGE = 'https://cbs.gov.ws/daily-exchange-rates';

/** The labels of 2009 to 2012 look inverted; their figures are of the same kind. */
const CODES: Readonly<Record<string, string>> = {
  'TALA/USD': 'USD',
  'US/TALA': 'USD',
  'TALA/NZD': 'NZD',
  'NZ/TALA': 'NZD',
  'TALA/AUD': 'AUD',
  'AUS/TALA': 'AUD',
  'TALA/EURO': 'EUR',
  'EURO/TALA': 'EUR',
  'EUR/TALA': 'EUR',
  'TALA/FJD': 'FJD',
  'FJD/TALA': 'FJD',
  'TALA/YEN': 'JPY',
  'YEN/TALA': 'JPY',
  'TALA/GBP': 'GBP',
  'GBP/TALA': 'GBP',
  'TALA/CNY': 'CNY',
  'TALA/CNH': 'CNH',
};

/**
 * Central Bank of Samoa: what one tala costs, from one workbook with the whole history, newly named each day. A
 * sheet holds twelve months one under another, each with its name, a row DATE and its days; the names of the
 * sheets are not to be trusted, and a day that stands under another month's name is a slip of the pen.
 */
export const feed: Feed = {
  key: 'CBS',

  async *rows(_window, { http }) {
    const page = await http.get(PAGE);
    const link = linkTo(htmlPage(page), /\.xlsx$/i, page);
    const answer = await http.get(new URL(link, PAGE).href);
    let found = false;
    for (const { name, rows } of await readWorkbook(answer)) {
      let month: number | undefined;
      let quotes: (string | undefined)[] = [];
      for (const [, first, ...cells] of rows) {
        if (typeof first === 'string' && /^date$/i.test(first.trim())) {
          quotes = cells.map((label) => CODES[clean(String(label)).toUpperCase()]);
          if (!quotes.some(Boolean)) {
            throw new FeedError(
              `${answer.url}: the sheet ${name} has a row DATE without a known label: ${cells}`,
            );
          }
        } else if (typeof first === 'string' && /^[A-Z]+$/.test(first.trim())) {
          month = monthNumber(first);
          quotes = [];
        }
        if (typeof first !== 'number' || first < 30_000 || first > 80_000) continue;
        const date = excelDate(first);
        if (Number(date.slice(5, 7)) !== month) continue;
        for (const [index, rate] of cells.entries()) {
          const quote = quotes[index];
          if (!quote || typeof rate !== 'number' || rate <= 0) continue;
          found = true;
          yield { date, base: 'WST', quote, rate };
        }
      }
    }
    if (!found)
      throw new FeedError(`${answer.url}: no sheet has a day with rates under a month's name and a row DATE`);
  },
};
