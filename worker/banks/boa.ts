import { type Feed, FeedError, ratesFrom } from '../feeds/feed.js';
import { htmlPage, linkTo } from '../feeds/toolbox/html.js';
import { dateIn, numberIn, readWorkbook, type Sheet, textIn } from '../feeds/toolbox/workbook.js';

const PAGE = 'https://www.bank-of-algeria.dz/donnees-historiques/';
const WORKBOOK = /^https:\/\/www\.bank-of-algeria\.dz\/stoodroa\/\d{4}\/\d{2}\/Cotation-DZD-[^"']*\.xlsx$/;
/** `USD / DZD`, `100 JPY / DZD`, `EURO / DZD` */
const TITLE = /^(\d+ )?(EURO|[A-Z]{3}) ?\/ ?DZD$/;

/**
 * Bank of Algeria: the average rate in dinars for so many units as the title of the sheet says. One workbook with
 * the whole history, a sheet a currency, newly named about once a month.
 */
export const feed: Feed = {
  key: 'BOA',

  async *read(_window, { http, navigation }) {
    const page = await navigation.get(PAGE);
    const response = await http.get(linkTo(htmlPage(page), WORKBOOK, page));
    const records = (await readWorkbook(response)).flatMap((sheet) => {
      const title = titleOf(sheet, response.url);
      const days = sheet.rows.filter(([day]) => typeof day === 'number');
      return days.map(([day, price]) => ({ ...title, day, price }));
    });
    yield ratesFrom(response, 'any day', records, ({ code, units, day, price }) => ({
      date: dateIn(day),
      base: code,
      quote: 'DZD',
      rate: numberIn(price),
      units,
    }));
  },
};

/** The title stands above the rates, and agrees with the name of the sheet, such as `USD - DZD`. */
function titleOf({ name, rows }: Sheet, url: string): { code: string; units: number } {
  const titles = rows.slice(0, 12).flatMap((row) => row.map((cell) => TITLE.exec(textIn(cell))));
  const [, units = '1', code = ''] = titles.find((title) => title !== null) ?? [];
  if (code === '' || !name.trim().toUpperCase().startsWith(code)) {
    throw new FeedError(`${url}: the sheet ${name} has no title that names its currency, but "${code}"`);
  }
  return { code: code === 'EURO' ? 'EUR' : code, units: Number(units) };
}
