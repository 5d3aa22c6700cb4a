import type { Feed } from '../feeds/feed.js';
import { withCookies } from '../feeds/toolbox/cookies.js';
import { formatDate, parseDate } from '../feeds/toolbox/dates.js';
import { hiddenFields, htmlPage, tableRecords } from '../feeds/toolbox/html.js';
import { numberOrMissing } from '../feeds/toolbox/numbers.js';
import { stepsOf } from '../feeds/toolbox/windows.js';

const URL = 'https://www.bot.go.tz/ExchangeRate/previous_rates';
const TOKEN = '__RequestVerificationToken';

/** Currencies that are gone and still listed. */
const DEAD = new Set(['ATS', 'NLG', 'MZM', 'ZWD', 'CUC']);

/** Bank of Tanzania: the mean rate in shillings for one unit, every day of the week, from a form with a token. */
export const feed: Feed = {
  key: 'BOTA',
  backfillDays: 30,

  async *rows(window, { http }) {
    for (const { from, to } of stepsOf(window, 30)) {
      const session = withCookies(http);
      const form = await session.get(URL);
      const token = hiddenFields(htmlPage(form), [TOKEN], form);
      const dates = { dateFrom: formatDate(from, 'MM/DD/YYYY'), dateTo: formatDate(to, 'MM/DD/YYYY') };
      const answer = await session.post(URL, { form: { ...token, ...dates } });
      await session.pause(2000);
      const table = tableRecords(htmlPage(answer), '#myTable', ['Currency', 'Mean', 'Date'], answer);
      for (const { Currency, Mean, Date: day } of table) {
        const base = Currency.toUpperCase();
        // GOLD is listed as well.
        if (!/^[A-Z]{3}$/.test(base) || DEAD.has(base) || day === '') continue;
        // Commas stand among the decimals too: 2,602.0,545 is 2602.0545.
        const rate = numberOrMissing(Mean.replaceAll(',', ''));
        if (rate) yield { date: parseDate(day, 'D-Mon-YY'), base, quote: 'TZS', rate };
      }
    }
  },
};
