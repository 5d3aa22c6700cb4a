import { type Feed, FeedError } from '../feeds/feed.js';
import { excelDate } from '../feeds/toolbox/dates.js';
import { htmlPage, linkTo } from '../feeds/toolbox/html.js';
import { readWorkbook } from '../feeds/toolbox/workbook.js';

const PAGE = 'https://www.rbf.gov.fj/statistics/economic-and-financial-statistics/';
const WORKBOOK =
  /^https:\/\/www\.rbf\.gov\.fj\/wp-content\/uploads\/\d{4}\/\d{2}\/8\.8-Exchange-Rates-Daily.*\.xlsx$/;

const CODES: Readonly<Record<string, string>> = {
  SDR: 'XDR',
  STG: 'GBP',
  YEN: 'JPY',
  CHF: 'CHF',
  A$: 'AUD',
  NZ$: 'NZD',
  US$: 'USD',
  EURO: 'EUR',
};

/** Reserve Bank of Fiji: what one Fiji dollar costs, from one workbook with the whole history, newly named each day. */
export const feed: Feed = {
  key: 'RBF',

  async *rows(_window, { http }) {
    const page = await http.get(PAGE);
    const answer = await http.get(linkTo(htmlPage(page), WORKBOOK, page));
    const rows = (await readWorkbook(answer)).flatMap((sheet) => sheet.rows);
    const header = rows.findIndex((row) => row.some((cell) => codeOf(cell) !== undefined));
    const codes = rows[header]?.map(codeOf);
    if (!codes)
      throw new FeedError(`${answer.url}: no row names the currencies ${Object.keys(CODES).join(', ')}`);
    for (const [day, ...cells] of rows.slice(header + 1)) {
      if (typeof day !== 'number') continue;
      const date = excelDate(day);
      for (const [index, rate] of cells.entries()) {
        const quote = codes[index + 1];
        if (quote !== undefined && typeof rate === 'number' && rate > 0)
          yield { date, base: 'FJD', quote, rate };
      }
    }
  },
};

function codeOf(cell: string | number | undefined): string | undefined {
  return CODES[String(cell).trim()];
}
