import { addDays } from '../../core/domain/dates.js';
import { type Feed, ratesFrom, sidesOf } from '../feeds/feed.js';
import { codeTable } from '../feeds/toolbox/code-table.js';
import { formatDate } from '../feeds/toolbox/dates.js';
import { recordsUnder } from '../feeds/toolbox/headings.js';
import { hiddenFields, htmlPage } from '../feeds/toolbox/html.js';
import { numberOf } from '../feeds/toolbox/numbers.js';
import { stepsOf } from '../feeds/toolbox/windows.js';
import { dateIn, firstSheet, numberIn, textIn } from '../feeds/toolbox/workbook.js';

const SITE = 'https://www.cbe.org.eg';
const PAGE = '/en/economic-research/statistics/cbe-exchange-rates/historical-data';
const STEP_DAYS = 30;

const CODES = codeTable(`
  USD US Dollar, EUR Euro, GBP Pound Sterling, CAD Canadian Dollar, DKK Danish Krone,
  NOK Norwegian Krone, SEK Swedish Krona, CHF Swiss Franc, JPY Japanese Yen 100, SAR Saudi Riyal,
  KWD Kuwaiti Dinar, AED UAE Dirham, AUD Australian Dollar, BHD Bahraini Dinar, OMR Omani Riyal,
  QAR Qatari Riyal, JOD Jordanian Dinar, CNY Chinese Yuan`);

/**
 * Central Bank of Egypt: the middle of the official buying and selling rates in pounds for one unit, for a hundred yen. A
 * form returns a workbook. A workbook without a day is an error, so a short window is extended to earlier days, in case all
 * of it is a holiday.
 */
export const feed: Feed = {
  key: 'CBE',
  reading: 2,
  pauseMs: 1000,
  backfillDays: STEP_DAYS,

  async *read(window, { http, navigation }) {
    const page = await navigation.get(SITE + PAGE);
    const token = hiddenFields(htmlPage(page), ['__RequestVerificationToken'], page);
    for (const { from, to } of stepsOf(window, STEP_DAYS)) {
      const asked = { from: from > addDays(to, -8) ? addDays(to, -13) : from, to };
      const response = await http.post(`${SITE}/api/statistics/GetHistoricalData`, {
        headers: { referer: SITE + PAGE, origin: SITE },
        form: {
          ...token,
          DataSourceId: '19CFFDDBFF494350A5E9C6A4397FC7DF',
          FallbackUrl: PAGE,
          LanguageName: 'en',
          FromDateRaw: formatDate(asked.from, 'DD/MM/YYYY'),
          ToDateRaw: formatDate(to, 'DD/MM/YYYY'),
          SelectedSelectOptions: [...CODES.keys()],
          SubmitAction: 2,
        },
      });
      const { rows, dateSystem } = await firstSheet(response);
      const records = recordsUnder(rows, ['Date', 'Currency', 'Buy', 'Sell'], response, 'sheet');
      yield ratesFrom(response, asked, records, ({ Date: day, Currency, Buy, Sell }) => {
        const name = textIn(Currency);
        return {
          date: dateIn(day, dateSystem),
          base: CODES.get(name),
          quote: 'EGP',
          ...sidesOf(numberIn(Buy), numberIn(Sell)),
          // "Japanese Yen 100"
          units: numberOf(/ (\d+)$/.exec(name)?.[1] ?? '1'),
        };
      });
    }
  },
};
