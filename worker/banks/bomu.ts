import { type Feed, FeedError, noData, ratesFrom, sidesOf } from '../feeds/feed.js';
import type { HttpAnswer } from '../feeds/http/client.js';
import { formatDate, parseDate } from '../feeds/toolbox/dates.js';
import { clean, htmlPage, type Page } from '../feeds/toolbox/html.js';
import { numberOf, numberOrMissing } from '../feeds/toolbox/numbers.js';
import { stepsOf } from '../feeds/toolbox/windows.js';

const PAGE = 'https://www.bom.mu/markets/foreign-exchange/consolidated-indicative-exchange-rates';
const STEP_DAYS = 31;

/** The class and the heading of each column. */
const COLUMNS = {
  currency: ['views-field-field-currency', 'Code'],
  buying: ['views-field-php', 'T.T'],
  selling: ['views-field-php-3', 'T.T/D.D'],
  day: ['views-field-field-transaction-date', 'Date'],
} as const;
type Column = keyof typeof COLUMNS;

/** Bank of Mauritius: the middle of the banks' rates for transfers in rupees for one or a hundred units. */
export const feed: Feed = {
  key: 'BOMU',
  reading: 2,
  pauseMs: 200,
  backfillDays: STEP_DAYS,

  async *read(window, { http }) {
    for (const asked of stepsOf(window, STEP_DAYS)) {
      const [from, to] = [asked.from, asked.to].map((day) => formatDate(day, 'DD-MM-YYYY'));
      const response = await http.get(PAGE, {
        query: {
          'field_transaction_date_value[value][date]': from,
          'field_transaction_date_value_1[value][date]': to,
        },
      });
      // The page contains a NUL character, at which some parsers stop.
      const page = htmlPage({ ...response, text: (charset) => response.text(charset).replaceAll('\0', '') });
      const view = page('.view-display-id-page').first();
      if (view.length === 0)
        throw new FeedError(`${response.url}: no view of rates: blocked, moved or redesigned`);
      const content = view.children('.view-content');
      if (content.length === 0) {
        yield noData(response, 'the view has no content, as for a window without rates');
        continue;
      }
      const table = content.children('.table-responsive').children('table');
      requireHeadings(page, table, response);
      const rows = table.children('tbody').children('tr.tblConso').toArray();
      const records = rows.map((row) => ({
        currency: cell(page, row, 'currency'),
        buying: cell(page, row, 'buying'),
        selling: cell(page, row, 'selling'),
        day: cell(page, row, 'day'),
      }));
      yield ratesFrom(response, asked, records, ({ currency = '', buying, selling, day }) => {
        const [, base, units] = /^([A-Z]{3}) (\d+)$/.exec(currency) ?? [];
        return {
          date: parseDate(day, 'DD-MM-YYYY'),
          base,
          quote: 'MUR',
          ...sidesOf(numberOrMissing(buying), numberOrMissing(selling)),
          units: numberOf(units ?? '1'),
        };
      });
    }
  },
};

function requireHeadings(page: Page, table: ReturnType<Page>, { url }: HttpAnswer): void {
  const last = table.children('thead').children('tr').last();
  for (const [column, [, heading]] of Object.entries(COLUMNS)) {
    const found = cell(page, last, column as Column);
    if (found !== heading)
      throw new FeedError(`${url}: the column ${column} is headed ${found}, not ${heading}`);
  }
}

function cell(page: Page, row: Parameters<Page>[0], column: Column): string | undefined {
  const found = page(row).children(`.${COLUMNS[column][0]}`);
  return found.length === 1 ? clean(found.text()) : undefined;
}
