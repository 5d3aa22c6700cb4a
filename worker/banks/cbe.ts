import { addDays } from '../../core/domain/dates.js';
import { type Feed, FeedError } from '../feeds/feed.js';
import { withCookies } from '../feeds/toolbox/cookies.js';
import { excelDate, formatDate } from '../feeds/toolbox/dates.js';
import { clean, hiddenFields, htmlPage } from '../feeds/toolbox/html.js';
import { midpoint } from '../feeds/toolbox/midpoint.js';
import { stepsOf } from '../feeds/toolbox/windows.js';
import { readWorkbook } from '../feeds/toolbox/workbook.js';

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

  async *rows(window, { http }) {
    if (window.from > window.to) return;
    const session = withCookies(http);
    const page = await session.get(SITE + PAGE, { headers: BROWSER });
    const token = hiddenFields(htmlPage(page), ['__RequestVerificationToken'], page);
    for (const { from, to } of stepsOf(window, STEP_DAYS)) {
      const answer = await session.post(`${SITE}/api/statistics/GetHistoricalData`, {
        headers: { ...BROWSER, referer: SITE + PAGE, origin: SITE },
        form: {
          ...token,
          DataSourceId: '19CFFDDBFF494350A5E9C6A4397FC7DF',
          FallbackUrl: PAGE,
          LanguageName: 'en',
          FromDateRaw: formatDate(from > addDays(to, -8) ? addDays(to, -13) : from, 'DD/MM/YYYY'),
          ToDateRaw: formatDate(to, 'DD/MM/YYYY'),
          SelectedSelectOptions: Object.keys(CODES),
          SubmitAction: 2,
        },
      });
      let found = false;
      for (const [day, name, buying, selling] of (await readWorkbook(answer))[0]?.rows ?? []) {
        if (typeof day !== 'number' || typeof name !== 'string') continue;
        if (typeof buying !== 'number' || typeof selling !== 'number') continue;
        found = true;
        const base = CODES[clean(name)];
        const middle = midpoint(buying, selling);
        const rate = base === 'JPY' ? middle / 100 : middle;
        if (base && rate > 0) yield { date: excelDate(day), base, quote: 'EGP', rate };
      }
      if (!found)
        throw new FeedError(`${answer.url}: a workbook without a row of day, name, buying and selling rate`);
      await http.pause(1000);
    }
  },
};
