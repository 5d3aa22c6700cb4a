import { type Feed, FeedError, ratesFrom } from '../feeds/feed.js';
import type { HttpAnswer } from '../feeds/http/client.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { recordsUnder } from '../feeds/toolbox/headings.js';
import { cellsOf, clean, htmlPage, type Page } from '../feeds/toolbox/html.js';
import { numberOf } from '../feeds/toolbox/numbers.js';
import { stepsOf } from '../feeds/toolbox/windows.js';

const SITE = 'https://www.cbsl.gov.lk/cbsl_custom/exrates';
const HEADING = /^1 ([A-Z]{3}) -> LKR$/;

/** Central Bank of Sri Lanka: rupees for one unit, and for a troy ounce of gold, from a form that lists the currencies. */
export const feed: Feed = {
  key: 'CBSL',
  backfillDays: 365,
  empty: 'a table without days says "0 results"',

  async *read(window, { http, navigation }) {
    const form = await navigation.get(`${SITE}/exrates.php`);
    const boxes = htmlPage(form)('input[name="chk_cur[]"]').toArray();
    const currencies = boxes.map((box) => box.attribs.value ?? '').filter((value) => value !== '');
    if (currencies.length === 0)
      throw new FeedError(`${form.url}: the form lists no currency: blocked, moved or redesigned`);
    for (const asked of stepsOf(window, 365)) {
      const response = await http.post(`${SITE}/exrates_results.php`, {
        form: {
          lookupPage: 'lookup_daily_exchange_rates.php',
          rangeType: 'dates',
          txtStart: asked.from,
          txtEnd: asked.to,
          'chk_cur[]': currencies,
          submit_button: 'Submit',
        },
      });
      const tables = tablesOf(htmlPage(response), response);
      if (tables.length === 0 || tables.length > currencies.length)
        throw new FeedError(
          `${response.url}: ${tables.length} tables "1 XXX -> LKR" where ${currencies.length} currencies were asked for`,
        );
      yield ratesFrom(response, asked, tables.flat(), ({ base, day, value }) => ({
        date: parseDate(day, 'YYYY-MM-DD'),
        base,
        quote: 'LKR',
        rate: numberOf(value),
      }));
    }
  },
};

/** The rows of each table. The second heading names its currency. */
function tablesOf(page: Page, response: HttpAnswer): { base: string; day: string; value: string }[][] {
  return page('table')
    .toArray()
    .flatMap((table) => {
      const heading = clean(page(table).find('th').eq(1).text());
      const base = HEADING.exec(heading)?.[1];
      if (base === undefined && clean(page(table).find('th').first().text()) === 'Date')
        throw new FeedError(`${response.url}: a table headed "${heading}", not "1 XXX -> LKR"`);
      if (base === undefined) return [];
      const rows = recordsUnder(cellsOf(page, table, response), ['Date', heading], response);
      if (rows.length === 0 && !page(table).text().includes('0 results'))
        throw new FeedError(`${response.url}: a table of ${base} without days and without "0 results"`);
      return [rows.map((row) => ({ base, day: row.Date ?? '', value: row[heading] ?? '' }))];
    });
}
