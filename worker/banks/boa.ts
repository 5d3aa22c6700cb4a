import { type Feed, FeedError, ratesFrom } from '../feeds/feed.js';
import { htmlPage, linkTo } from '../feeds/toolbox/html.js';
import { dateIn, numberIn, readWorkbook, type Sheet, textIn } from '../feeds/toolbox/workbook.js';

const PAGE = 'https://www.bank-of-algeria.dz/donnees-historiques/';
const WORKBOOK = /^https:\/\/www\.bank-of-algeria\.dz\/stoodroa\/\d{4}\/\d{2}\/Cotation-DZD-[^"']*\.xlsx$/;
/** `USD / DZD`, `100 JPY / DZD`, `EURO / DZD` */
const TITLE = /^(\d+ )?(EURO|[A-Z]{3}) ?\/ ?DZD$/;

/**
 * Bank of Algeria: the average rate in dinars for the number of units in the sheet's title. One workbook with the whole
 * history, a sheet per currency. The file gets a new name about once a month.
 */
export const feed: Feed = {
  key: 'BOA',
  reading: 2,

  async *read(_window, { http, navigation }) {
    const page = await navigation.get(PAGE);
    const response = await http.get(linkTo(htmlPage(page), WORKBOOK, page));
    const records = (await readWorkbook(response)).flatMap((sheet) => {
      const title = titleOf(sheet, response.url);
      const days = sheet.rows.filter(([day]) => typeof day === 'number');
      return days.map((row) => ({ ...title, sheet, day: row[0], price: row[title.column] }));
    });
    yield ratesFrom(response, 'any day', records, ({ code, units, sheet, day, price }) => ({
      date: dateIn(day, sheet.dateSystem),
      base: code,
      quote: 'DZD',
      rate: numberIn(price),
      units,
    }));
  },
};

/** The title, which must agree with the sheet's name, such as `USD - DZD`, and is repeated above the column of rates. */
function titleOf({ name, rows }: Sheet, url: string): { code: string; units: number; column: number } {
  const titles = rows.slice(0, 12).flatMap((row) =>
    row.flatMap((cell, column) => {
      const [title, units = '1', code = ''] = TITLE.exec(textIn(cell)) ?? [];
      return title === undefined
        ? []
        : [{ code: code === 'EURO' ? 'EUR' : code, units: Number(units), column }];
    }),
  );
  const [title, over] = [titles[0], titles.find(({ column }) => column > 0)];
  const isOther = over !== undefined && over.code !== title?.code;
  if (!title || isOther || !name.trim().toUpperCase().startsWith(title.code)) {
    throw new FeedError(
      `${url}: the sheet ${name} has no title that names its currency, but "${title?.code ?? ''}"`,
    );
  }
  return { ...title, column: over?.column ?? 1 };
}
