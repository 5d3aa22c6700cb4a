import { type Feed, ratesFrom, skipped } from '../feeds/feed.js';
import { codeTable } from '../feeds/toolbox/code-table.js';
import { monthNumber } from '../feeds/toolbox/dates.js';
import { figuresUnder, type TableFigure } from '../feeds/toolbox/headings.js';
import { clean, htmlPage, linkTo } from '../feeds/toolbox/html.js';
import { type Cell, dateIn, numberIn, readWorkbook, type Sheet, textIn } from '../feeds/toolbox/workbook.js';

const PAGE = 'https://cbs.gov.ws/daily-exchange-rates';
const WORKBOOK = /^(?:https:\/\/(?:www\.)?cbs\.gov\.ws)?\/\w.*\.xlsx$/i;
const MONTH = /^(?!DATE$)[A-Z]+$/;

/** The labels of 2009 to 2012 look inverted, but their figures are of the same kind. */
const CODES = codeTable(`
  USD TALA/USD, USD US/TALA, NZD TALA/NZD, NZD NZ/TALA, AUD TALA/AUD, AUD AUS/TALA, EUR TALA/EURO,
  EUR EURO/TALA, EUR EUR/TALA, FJD TALA/FJD, FJD FJD/TALA, JPY TALA/YEN, JPY YEN/TALA, GBP TALA/GBP,
  GBP GBP/TALA, CNY TALA/CNY, CNH TALA/CNH`);

/**
 * Central Bank of Samoa: the price of one tala, from one workbook with the whole history, with a new name each day. A sheet
 * has twelve months one below another, each with its name, a row DATE and its days. The sheets' names are unreliable. A day
 * below the name of another month is a typo.
 */
export const feed: Feed = {
  key: 'CBS',

  async *read(_window, { http, navigation }) {
    const page = await navigation.get(PAGE);
    const link = linkTo(htmlPage(page), WORKBOOK, page);
    const response = await http.get(new URL(link, PAGE).href);
    const figures = (await readWorkbook(response)).flatMap(figuresIn);
    yield ratesFrom(response, 'any day', figures, ({ month, dateSystem, first, heading, cell }) => {
      const date = dateIn(first, dateSystem);
      if (Number(date.slice(5, 7)) !== month) return skipped("a day under another month's name");
      const quote = CODES.get(clean(heading).toUpperCase());
      return { date, base: 'WST', quote, rate: numberIn(cell, ['n/a']) };
    });
  },
};

type MonthFigure = TableFigure<Cell> & Pick<Sheet, 'dateSystem'> & { month: number | undefined };

/** The figures of a sheet, each with the name of its month and the labels in that month's row DATE. */
function figuresIn({ rows, dateSystem }: Sheet): MonthFigure[] {
  const starts = rows.flatMap(([, first], at) => (MONTH.test(textIn(first)) ? [at] : []));
  return starts.flatMap((start, index) => {
    const month = monthNumber(textIn(rows[start]?.[1]));
    const block = rows.slice(start + 1, starts[index + 1]).map((row) => row.slice(1));
    const days = block.filter(([first]) => typeof first === 'number' || isDate(first));
    return figuresUnder(days, ([first]) => isDate(first)).map((figure) => ({ ...figure, month, dateSystem }));
  });
}

function isDate(cell: Cell): boolean {
  return /^date$/i.test(textIn(cell));
}
