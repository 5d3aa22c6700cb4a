import { type Feed, FeedError, type RateRow } from '../feeds/feed.js';
import type { HttpAnswer } from '../feeds/http/client.js';
import { dateOrNone } from '../feeds/toolbox/dates.js';
import { clean, htmlPage, type Page } from '../feeds/toolbox/html.js';
import { numberOrNaN, readable } from '../feeds/toolbox/readable.js';
import { yearsOf } from '../feeds/toolbox/windows.js';

const URL = 'https://www.bcp.gov.py/webapps/web/cotizacion/monedas-historica';

/** What the page of each code calls it in its title. Gold is priced per troy ounce. */
const NAMES: Readonly<Record<string, string>> = {
  USD: 'DOLAR AMERICANO',
  EUR: 'EURO',
  GBP: 'LIBRA ESTERLINA',
  JPY: 'YEN JAPONES',
  CHF: 'FRANCO SUIZO',
  CAD: 'DOLAR CANADIENSE',
  AUD: 'DOLAR AUSTRALIANO',
  CNY: 'YUAN CHINO',
  BRL: 'REAL BRASILERO',
  ARS: 'PESO ARGENTINO',
  CLP: 'PESO CHILENO',
  MXN: 'PESO MEXICANO',
  UYU: 'PESO URUGUAYO',
  COP: 'PESO COLOMBIANO',
  BOB: 'BOLIVIAN BOLIVIANO',
  NZD: 'DOLAR NEOZELANDES',
  ZAR: 'RAND SUDAFRICANO',
  SEK: 'CORONA SUECA',
  DKK: 'CORONA DANESA',
  NOK: 'CORONA NORUEGA',
  AED: 'UAE DIRHAM',
  PEN: 'PERUVIAN NUEVO SOL',
  SGD: 'SINGAPORE DOLLAR',
  TWD: 'NEW TAIWAN DOLLAR',
  XAU: 'ORO',
};

/** Central Bank of Paraguay: guaraníes for one unit between banks, a page for each year and currency, months across. */
export const feed: Feed = {
  key: 'BCP',
  backfillDays: 365,

  async *rows(window, { http }) {
    for (const { year } of yearsOf(window)) {
      for (const [base, name] of Object.entries(NAMES)) {
        const answer = await http.get(URL, { query: { anho: year, moneda: base } });
        await http.pause(500);
        const page = htmlPage(answer);
        const title = clean(page('table[id="cotizacion-interbancaria"]').first().text());
        if (!title.endsWith(`DEL AÑO ${year} DE MONEDA ${name}`))
          throw new FeedError(`${answer.url}: the title is not that of ${name} in ${year}: "${title}"`);
        yield* readable(rowsOf(page, year, base, answer), answer);
      }
    }
  },
};

function* rowsOf(page: Page, year: number, base: string, answer: HttpAnswer): Generator<RateRow> {
  let days = 0;
  for (const row of page('tbody tr').toArray()) {
    const day = clean(page(row).children('th').first().text());
    const months = page(row).children('td').toArray();
    if (!/^\d{1,2}$/.test(day) || months.length < 12) continue;
    days++;
    for (const [month, cell] of months.slice(0, 12).entries()) {
      const date = dateOrNone(`${year}-${month + 1}-${day}`, 'YYYY-M-D');
      const value = clean(page(cell).text());
      if (date === undefined || value === '' || value === 'ND') continue;
      yield { date, base, quote: 'PYG', rate: numberOrNaN(value, ',') };
    }
  }
  if (days === 0) throw new FeedError(`${answer.url}: no day of twelve months in its tables`);
}
