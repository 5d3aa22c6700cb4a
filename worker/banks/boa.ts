import { type Feed, FeedError } from '../feeds/feed.js';
import { excelDate } from '../feeds/toolbox/dates.js';
import { htmlPage, linkTo } from '../feeds/toolbox/html.js';
import { readWorkbook } from '../feeds/toolbox/workbook.js';

const PAGE = 'https://www.bank-of-algeria.dz/donnees-historiques/';
const WORKBOOK = /^https:\/\/www\.bank-of-algeria\.dz\/stoodroa\/\d{4}\/\d{2}\/Cotation-DZD-[^"']*\.xlsx$/;

/** The old ouguiya's sheet goes on under the old code: from this day on it can only mean the new one. */
const NEW_OUGUIYA = '2018-01-01';

/**
 * Bank of Algeria: the average rate in dinars for one unit, of the yen for a hundred. One workbook with the whole
 * history, a sheet a currency (`USD - DZD`), newly named about once a month.
 */
export const feed: Feed = {
  key: 'BOA',

  async *rows(_window, { http }) {
    const page = await http.get(PAGE);
    const answer = await http.get(linkTo(htmlPage(page), WORKBOOK, page));
    let found = false;
    for (const sheet of await readWorkbook(answer)) {
      const code = codeOf(sheet.name);
      if (!code) continue;
      for (const [day, value] of sheet.rows) {
        if (typeof day !== 'number' || typeof value !== 'number' || value <= 0) continue;
        found = true;
        const date = excelDate(day);
        const base = code === 'MRO' && date >= NEW_OUGUIYA ? 'MRU' : code;
        yield { date, base, quote: 'DZD', rate: code === 'JPY' ? value / 100 : value };
      }
    }
    if (!found) {
      throw new FeedError(
        `${answer.url}: no sheet named after a currency has a day number and a rate side by side`,
      );
    }
  },
};

function codeOf(sheetName: string): string | undefined {
  const name = sheetName.split(/[-/]/)[0]?.trim().toUpperCase() ?? '';
  if (name === 'EURO') return 'EUR';
  return /^[A-Z]{3}$/.test(name) ? name : undefined;
}
