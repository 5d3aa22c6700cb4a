import { type Feed, ratesFrom } from '../feeds/feed.js';
import { codeTable } from '../feeds/toolbox/code-table.js';
import { figuresUnder } from '../feeds/toolbox/headings.js';
import { htmlPage, linkTo } from '../feeds/toolbox/html.js';
import { dateIn, firstSheet, numberIn, textIn } from '../feeds/toolbox/workbook.js';

const PAGE = 'https://www.rbf.gov.fj/statistics/economic-and-financial-statistics/';
const WORKBOOK =
  /^https:\/\/www\.rbf\.gov\.fj\/wp-content\/uploads\/\d{4}\/\d{2}\/8\.8-Exchange-Rates-Daily.*\.xlsx$/;

const CODES = codeTable(`
  XDR SDR, GBP STG, JPY YEN, CHF CHF, AUD A$, NZD NZ$, USD US$, EUR EURO`);

/**
 * Reserve Bank of Fiji: the price of one Fiji dollar, from one workbook with the whole history, with a new name each day.
 */
export const feed: Feed = {
  key: 'RBF',

  async *read(_window, { http, navigation }) {
    const page = await navigation.get(PAGE);
    const response = await http.get(linkTo(htmlPage(page), WORKBOOK, page));
    const { rows, dateSystem } = await firstSheet(response);
    const figures = figuresUnder(rows, (row) => row.some((cell) => CODES.has(textIn(cell))));
    yield ratesFrom(response, 'any day', figures, ({ first, heading, cell }) => ({
      date: dateIn(first, dateSystem),
      base: 'FJD',
      quote: CODES.get(heading),
      rate: numberIn(cell),
    }));
  },
};
