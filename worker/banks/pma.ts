import { type Feed, FeedError, ratesFrom, withSides } from '../feeds/feed.js';
import type { HttpAnswer } from '../feeds/http/client.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { recordsUnder } from '../feeds/toolbox/headings.js';
import { htmlPage } from '../feeds/toolbox/html.js';
import { type Cell, firstSheet, numberIn, textIn } from '../feeds/toolbox/workbook.js';

const PAGE = 'https://wcur.pma.ps/ar/webtools/currency/export';
/** Date, currency, buying, selling, middle. */
const COLUMNS = ['التاريخ', 'العملة', 'الشراء', 'البيع', 'الوسطي'] as const;

/**
 * Palestine Monetary Authority: the middle rates of 25 pairs, each with its own base, against the dollar and the shekel. A
 * form returns a workbook. The name and the value of its token change with every visit.
 */
export const feed: Feed = {
  key: 'PMA',
  reading: 2,
  empty: 'a window without rates has the headings alone',
  firstDay: '2020-09-01',

  async *read(window, { http, navigation }) {
    const page = await navigation.get(PAGE);
    const hidden = htmlPage(page)('input[type="hidden" i]').toArray();
    const [token] = hidden;
    const { name, value } = token?.attribs ?? {};
    if (hidden.length !== 1 || name === undefined || value === undefined)
      throw new FeedError(`${page.url}: ${hidden.length} hidden fields, where the token alone is expected`);
    const response = await http.post(PAGE, {
      headers: { referer: PAGE },
      form: { [name]: value, from: window.from, to: window.to },
    });
    const type = response.headers.get('content-type') ?? 'nothing';
    if (!type.includes('spreadsheetml'))
      throw new FeedError(`${response.url}: answered ${type}, not a workbook: the token was refused`);
    yield ratesFrom(response, window, await figuresOf(response), (figure) => figure);
  },
};

/** Converts the rows to figures. Throws a FeedError if a row can't be read. */
async function figuresOf(response: HttpAnswer) {
  const { rows } = await firstSheet(response);
  return recordsUnder(rows, COLUMNS, response, 'sheet').map(
    ({ التاريخ: day, العملة: pair, الشراء: buying, البيع: selling, الوسطي: middle }) => {
      const [, base, quote] = /^([A-Z]{3})\/([A-Z]{3})$/.exec(textIn(pair)) ?? [];
      if (base === undefined || quote === undefined)
        throw new FeedError(`${response.url}: not a pair of currencies: "${textIn(pair)}"`);
      const date = parseDate(textIn(day).replaceAll('/', '-'), 'YYYY-MM-DD');
      // The middle is a separate figure, which is not always the midpoint of the two prices.
      const priceIn = (cell: Cell) => numberIn(textIn(cell).replaceAll(',', ''));
      return { date, base, quote, ...withSides(priceIn, middle, buying, selling) };
    },
  );
}
