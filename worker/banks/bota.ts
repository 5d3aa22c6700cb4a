import { type Feed, ratesFrom, skipped, withSides } from '../feeds/feed.js';
import { formatDate, parseDate } from '../feeds/toolbox/dates.js';
import { hiddenFields, htmlPage, tableRecords } from '../feeds/toolbox/html.js';
import { numberOrMissing } from '../feeds/toolbox/numbers.js';
import { stepsOf } from '../feeds/toolbox/windows.js';

const ENDPOINT = 'https://www.bot.go.tz/ExchangeRate/previous_rates';
const TOKEN = '__RequestVerificationToken';

/**
 * The table as on the bank's page of March 2026, and an earlier description with other headings and with commas among the
 * decimals too (2,602.0,545 is 2602.0545). No complete page in the earlier form is available.
 */
const TABLES = [
  { selector: '#table1', buy: 'Buying', sell: 'Selling', day: 'Transaction Date' },
  { selector: '#myTable', buy: 'Buy', sell: 'Sell', day: 'Date' },
] as const;
const WITH_COMMAS = /^\d{1,3}(,\d{3})*\.[\d,]+$/;
const priceIn = (cell: string) => numberOrMissing(WITH_COMMAS.test(cell) ? cell.replaceAll(',', '') : cell);

const CODES: Readonly<Record<string, string>> = { SDR: 'XDR' };
const NOT_READ = new Set(['GOLD', 'ATS', 'NLG', 'MZM', 'ZWD', 'CUC', 'Currency']);

/** Bank of Tanzania: the mean rate in shillings for one unit, every day of the week, from a form with a token. */
export const feed: Feed = {
  key: 'BOTA',
  reading: 2,
  pauseMs: 2000,
  backfillDays: 30,
  empty: 'a window without rates gives a table without rows',

  async *read(window, { http, navigation }) {
    for (const asked of stepsOf(window, 30)) {
      const form = await navigation.get(ENDPOINT);
      const token = hiddenFields(htmlPage(form), [TOKEN], form);
      const [dateFrom, dateTo] = [asked.from, asked.to].map((day) => formatDate(day, 'MM/DD/YYYY'));
      const response = await http.post(ENDPOINT, { form: { ...token, dateFrom, dateTo } });
      const page = htmlPage(response);
      const { selector, buy, sell, day } = TABLES.find((one) => page(one.selector).length > 0) ?? TABLES[0];
      const records = tableRecords(page, selector, ['Currency', buy, sell, 'Mean', day], response);
      yield ratesFrom(response, asked, records, ({ Currency: code, Mean: mean, ...row }) =>
        NOT_READ.has(code)
          ? skipped('gold, a currency that is gone and still listed, or the headings below')
          : {
              date: parseDate(row[day], 'D-Mon-YY'),
              base: CODES[code] ?? code.toUpperCase(),
              quote: 'TZS',
              ...withSides(priceIn, mean, row[buy], row[sell]),
            },
      );
    }
  },
};
