import { addDays, daysBetween, earlier } from '../../core/domain/dates.js';
import {
  type Feed,
  type FeedContext,
  FeedError,
  noData,
  type Reading,
  ratesFrom,
  type Window,
} from '../feeds/feed.js';
import type { HttpAnswer } from '../feeds/http/client.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { htmlPage } from '../feeds/toolbox/html.js';
import { numberOf, numberOrMissing } from '../feeds/toolbox/numbers.js';
import { stepsOf } from '../feeds/toolbox/windows.js';
import { xmlRoot } from '../feeds/toolbox/xml.js';

const SITE = 'https://www.nbkr.kg';
const HISTORY = `${SITE}/index1.jsp`;
const STEP_DAYS = 365;
/** Most rates are weekly, so in a shorter window every page may legitimately be empty. */
const SHORTEST_DAYS = 14;
/** A window that goes no further back only repeats days that earlier runs have read. */
const RECENT_DAYS = 8;
/** This many equal figures of two currencies are no coincidence. */
const TWIN_ROWS = 4;

/** The page of each currency, and the number of units of its rates. Old codes have separate pages. */
const PAGES = `
  USD 15, EUR 20, CNY 24, KZT 40, RUB 44, AUD 56, ATS 16, AZN 82, AZM 37 /1000, GBP 17, AMD 38 /10, AFN 99,
  BYR 39 /100, BEF 18 /10, BGN 100, BRL 101, HUF 51 /10, KRW 25, GEL 102, DKK 19, AED 103, INR 21, IRR 104 /10,
  ITL 22 /100, CAD 23, KWD 50, LVL 41, LTL 42, MYR 105, MDL 43, MNT 106, DEM 26, NLG 27, TRY 57, NZD 53, TWD 107,
  TMT 108, NOK 28, PKR 55, PLN 109, PTE 29, RUR 98 /1000, XDR 30, SGD 86, TJS 45, TJR 49 /100, TRL 31 /1000, UZS 46,
  UAH 47, FIM 32, FRF 33, CZK 52, SEK 34, CHF 35, EEK 48, JPY 36 /10, SAR 139, BYN 160, OMR 180, HKD 182, IDR 184 /10`
  .split(',')
  .map((entry) => entry.trim().split(/ \/?/))
  .map(([base = '', id = '', nominal = '1']) => ({ base, id, nominal: Number(nominal) }));

/** A date and its value in one row, possibly with other tags between them. */
const ROW = /<!--date-->([^<]*)<!--date-->\s*(?:<(?!\/?tr)[^!>][^>]*>\s*)*<!--value-->([^<]*)<!--value-->/g;

/**
 * National Bank of the Kyrgyz Republic: soms for a stated number of units. Two XML files have the newest daily and weekly
 * rates, each with its own date. Older rates are on one page per currency.
 */
export const feed: Feed = {
  key: 'NBKR',
  backfillDays: STEP_DAYS,
  weekends: true,
  firstDay: '1999-01-01',
  empty: 'a currency that was not quoted then has a page without rows',

  async *read(window, context) {
    const { http, today, log } = context;
    if (window.to < today) {
      yield* history(window, context);
      return;
    }
    for (const name of ['daily', 'weekly'])
      yield newest(await http.get(`${SITE}/XML/${name}.xml`), {
        from: addDays(today, -SHORTEST_DAYS),
        to: today,
      });
    const days = daysBetween(window.from, today);
    if (days > STEP_DAYS)
      log.info(
        { from: window.from },
        'read only the newest rates: older days need a window that ends before today',
      );
    else if (days > RECENT_DAYS) yield* history({ from: window.from, to: addDays(today, -1) }, context);
  },
};

function newest(response: HttpAnswer, recent: Window): Reading {
  const root = xmlRoot(response, 'CurrencyRates', 'windows-1251');
  const date = parseDate(root.attribute('Date'), 'DD.MM.YYYY');
  return ratesFrom(response, recent, root.children, (currency) => ({
    date,
    base: currency.attribute('ISOCode'),
    quote: 'KGS',
    rate: numberOrMissing(currency.text('Value'), ','),
    units: numberOf(currency.text('Nominal'), ','),
  }));
}

async function* history(window: Window, { http }: FeedContext): AsyncGenerator<Reading> {
  for (const { from, to } of stepsOf(window, STEP_DAYS)) {
    const asked = { from: earlier(from, addDays(to, 1 - SHORTEST_DAYS)), to };
    const seen = new Set<string>();
    for (const { base, id, nominal: units } of PAGES) {
      const response = await http.get(HISTORY, { query: pageOf(id, asked) });
      // Rejects a truncated page.
      htmlPage(response);
      const text = response.text();
      const rows = [...text.matchAll(ROW)].map(([, date, value]) => ({ date, value }));
      // Every page contains a table, even if without rows; a firewall's page does not.
      const marks = text.split(/<!--(?:date|value)-->/).length - 1;
      if (marks !== 4 * rows.length || !text.includes('<table')) {
        throw new FeedError(`${response.url}: no table of dates and values: blocked or redesigned`);
      }
      const figures = JSON.stringify(rows);
      if (rows.length >= TWIN_ROWS && seen.has(figures)) {
        yield noData(response, 'the page, which names no currency, has the figures of another one');
        continue;
      }
      seen.add(figures);
      yield ratesFrom(response, asked, rows, ({ date, value }) => ({
        date: parseDate(date, 'DD.MM.YYYY'),
        base,
        quote: 'KGS',
        rate: numberOrMissing(value, ','),
        units,
      }));
    }
    if (![...seen].some((page) => page !== '[]'))
      throw new FeedError(
        `${HISTORY}: none of ${PAGES.length} pages has a rate, ${asked.from} to ${to}: blocked?`,
      );
  }
}

function pageOf(id: string, { from, to }: Window): Record<string, string | number | undefined> {
  const [[beg_year, beg_month, beg_day], [end_year, end_month, end_day]] = [from.split('-'), to.split('-')];
  const days = { beg_day, beg_month, beg_year, end_day, end_month, end_year };
  return { item: 1562, lang: 'ENG', valuta_id: id, ...days };
}
