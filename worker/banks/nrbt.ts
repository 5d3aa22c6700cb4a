import { type Feed, FeedError, noRate, ratesFrom } from '../feeds/feed.js';
import { figuresUnder } from '../feeds/toolbox/headings.js';
import { type Cell, dateIn, numberIn, readWorkbook, type Sheet, textIn } from '../feeds/toolbox/workbook.js';

const ENDPOINT = 'https://www.reservebank.to/data/docs/fmarkets/exrates/average_daily_exchange_rates.xlsx';

/** Blocks of buying, middle and selling rates are side by side. The title of the middle ones ends like this. */
const TITLE = /\bMID$/;

/**
 * National Reserve Bank of Tonga: the price of one paʻanga, the banks' published middle rate. One workbook with the whole
 * history, one sheet per two years. A holiday has a text instead of rates.
 */
export const feed: Feed = {
  key: 'NRBT',

  async *read(_window, { http }) {
    const response = await http.get(ENDPOINT);
    const sheets = (await readWorkbook(response)).filter(({ rows }) =>
      rows.some(([day]) => typeof day === 'number'),
    );
    const figures = sheets.flatMap((sheet) =>
      figuresUnder(middleBlock(sheet, response.url), ([day]) => day === 'DATE').map((figure) => ({
        ...figure,
        sheet,
      })),
    );
    yield ratesFrom(response, 'any day', figures, ({ sheet, first, heading: quote, cell }) => {
      if (/[a-z]{3}/i.test(textIn(cell))) return noRate('a holiday');
      return { date: dateIn(first, sheet.dateSystem), base: 'TOP', quote, rate: numberIn(cell) };
    });
  },
};

/** The row of codes and the days of a sheet, limited to the block of middle rates. */
function middleBlock({ name, rows }: Sheet, url: string): Cell[][] {
  const titles = rows.find((row) => row.some((cell) => TITLE.test(textIn(cell)))) ?? [];
  const start = titles.findIndex((cell) => TITLE.test(textIn(cell)));
  const codes = rows.find((row) => /^[A-Z]{3}$/.test(textIn(row[start]))) ?? [];
  const width = codes.slice(start).findIndex((cell) => textIn(cell) === '');
  if (start < 0 || width <= 0)
    throw new FeedError(`${url}: the sheet ${name} has no block of codes under a title MID`);
  const block = (row: readonly Cell[]) => row.slice(start, start + width);
  const days = rows.filter(([day]) => typeof day === 'number');
  return [['DATE', ...block(codes)], ...days.map((row) => [row[0], ...block(row)])];
}
