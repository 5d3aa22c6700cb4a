import { type Feed, FeedError, noRate, ratesFrom, withSides } from '../feeds/feed.js';
import { dateIn, numberIn, readWorkbook, type Sheet, textIn } from '../feeds/toolbox/workbook.js';

const ENDPOINT = 'https://www.reservebank.to/data/docs/fmarkets/exrates/average_daily_exchange_rates.xlsx';

/** The ends of the titles of three blocks of rates, which are side by side. */
const TITLES = [/\bBUY$/, /\bMID$/, /\bSELL$/] as const;

/**
 * National Reserve Bank of Tonga: the price of one paʻanga, the banks' published middle rate. One workbook with the whole
 * history, one sheet per two years. A holiday has a text instead of rates.
 */
export const feed: Feed = {
  key: 'NRBT',
  reading: 2,

  async *read(_window, { http }) {
    const response = await http.get(ENDPOINT);
    const sheets = (await readWorkbook(response)).filter(({ rows }) =>
      rows.some(([day]) => typeof day === 'number'),
    );
    const figures = sheets.flatMap((sheet) => figuresIn(sheet, response.url));
    yield ratesFrom(response, 'any day', figures, ({ date, quote, cells: [buying, middle, selling] }) => {
      if (/[a-z]{3}/i.test(textIn(middle))) return noRate('a holiday');
      // Where the banks buy the other currency, they sell the paʻanga.
      return { date, base: 'TOP', quote, ...withSides(numberIn, middle, selling, buying) };
    });
  },
};

/** The cells of a sheet's blocks by day and by code in the block of middle rates. */
function figuresIn({ name, rows, dateSystem }: Sheet, url: string) {
  const titles = rows.find((row) => row.some((cell) => TITLES[1].test(textIn(cell)))) ?? [];
  const places = TITLES.map((title) => titles.findIndex((cell) => title.test(textIn(cell))));
  const [, start = -1] = places;
  const codes = (rows.find((row) => /^[A-Z]{3}$/.test(textIn(row[start]))) ?? []).map(textIn);
  const width = codes.slice(start).indexOf('');
  if (start < 0 || width <= 0)
    throw new FeedError(`${url}: the sheet ${name} has no block of codes under a title MID`);
  return rows.flatMap((row) =>
    typeof row[0] !== 'number'
      ? []
      : codes.slice(start, start + width).map((quote) => ({
          date: dateIn(row[0], dateSystem),
          quote,
          cells: places.map((place) => row[codes.indexOf(quote, place)]),
        })),
  );
}
