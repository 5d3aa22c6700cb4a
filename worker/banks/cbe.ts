import { addDays } from '../../core/domain/dates.js';
import { type Feed, ratesFrom } from '../feeds/feed.js';
import { withCookies } from '../feeds/toolbox/cookies.js';
import { formatDate } from '../feeds/toolbox/dates.js';
import { recordsUnder } from '../feeds/toolbox/headings.js';
import { hiddenFields, htmlPage } from '../feeds/toolbox/html.js';
import { midpoint } from '../feeds/toolbox/midpoint.js';
import { numberOf } from '../feeds/toolbox/numbers.js';
import { stepsOf } from '../feeds/toolbox/windows.js';
import { dateIn, firstSheet, numberIn, textIn } from '../feeds/toolbox/workbook.js';

const SITE = 'https://www.cbe.org.eg';
const PAGE = '/en/economic-research/statistics/cbe-exchange-rates/historical-data';
const STEP_DAYS = 30;

/** The site's firewall is known to let this browser pass. */
const BROWSER = {
  'user-agent':
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0 Safari/537.36',
};

const CODES: Readonly<Record<string, string>> = {
  'US Dollar': 'USD',
  Euro: 'EUR',
  'Pound Sterling': 'GBP',
  'Canadian Dollar': 'CAD',
  'Danish Krone': 'DKK',
  'Norwegian Krone': 'NOK',
  'Swedish Krona': 'SEK',
  'Swiss Franc': 'CHF',
  'Japanese Yen 100': 'JPY',
  'Saudi Riyal': 'SAR',
  'Kuwaiti Dinar': 'KWD',
  'UAE Dirham': 'AED',
  'Australian Dollar': 'AUD',
  'Bahraini Dinar': 'BHD',
  'Omani Riyal': 'OMR',
  'Qatari Riyal': 'QAR',
  'Jordanian Dinar': 'JOD',
  'Chinese Yuan': 'CNY',
};

/**
 * Central Bank of Egypt: the middle of the official buying and selling rates in pounds for one unit, of the yen
 * for a hundred. A form's answer is a workbook; a workbook without a day means trouble, so a short window is
 * asked for with the days before it, lest it be a holiday whole.
 */
export const feed: Feed = {
  key: 'CBE',
  backfillDays: STEP_DAYS,

  async *read(window, clients) {
    const { http, navigation } = withCookies(clients);
    const page = await navigation.get(SITE + PAGE, { headers: BROWSER });
    const token = hiddenFields(htmlPage(page), ['__RequestVerificationToken'], page);
    for (const { from, to } of stepsOf(window, STEP_DAYS)) {
      const asked = { from: from > addDays(to, -8) ? addDays(to, -13) : from, to };
      const response = await http.post(`${SITE}/api/statistics/GetHistoricalData`, {
        headers: { ...BROWSER, referer: SITE + PAGE, origin: SITE },
        form: {
          ...token,
          DataSourceId: '19CFFDDBFF494350A5E9C6A4397FC7DF',
          FallbackUrl: PAGE,
          LanguageName: 'en',
          FromDateRaw: formatDate(asked.from, 'DD/MM/YYYY'),
          ToDateRaw: formatDate(to, 'DD/MM/YYYY'),
          SelectedSelectOptions: Object.keys(CODES),
          SubmitAction: 2,
        },
      });
      await http.pause(1000);
      const { rows } = await firstSheet(response);
      const records = recordsUnder(rows, ['Date', 'Currency', 'Buy', 'Sell'], response, 'sheet');
      yield ratesFrom(response, asked, records, ({ Date: day, Currency, Buy, Sell }) => {
        const name = textIn(Currency);
        return {
          date: dateIn(day),
          base: CODES[name],
          quote: 'EGP',
          rate: midpoint(numberIn(Buy), numberIn(Sell)),
          // "Japanese Yen 100"
          units: numberOf(/ (\d+)$/.exec(name)?.[1] ?? '1'),
        };
      });
    }
  },
};
