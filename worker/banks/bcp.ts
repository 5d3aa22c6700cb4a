import { isCalendarDate } from '../../core/domain/dates.js';
import { type Feed, FeedError, ratesFrom } from '../feeds/feed.js';
import { codeTable } from '../feeds/toolbox/code-table.js';
import { monthNumber } from '../feeds/toolbox/dates.js';
import { figuresUnder } from '../feeds/toolbox/headings.js';
import { clean, htmlPage, tableCells } from '../feeds/toolbox/html.js';
import { numberOrMissing } from '../feeds/toolbox/numbers.js';
import { yearsOf } from '../feeds/toolbox/windows.js';

const ENDPOINT = 'https://www.bcp.gov.py/webapps/web/cotizacion/monedas-historica';

/** The name in the title of each currency's page. Gold is priced per troy ounce. */
const NAMES = codeTable(`
  USD DOLAR AMERICANO, EUR EURO, GBP LIBRA ESTERLINA, JPY YEN JAPONES, CHF FRANCO SUIZO,
  CAD DOLAR CANADIENSE, AUD DOLAR AUSTRALIANO, CNY YUAN CHINO, BRL REAL BRASILERO, ARS PESO ARGENTINO,
  CLP PESO CHILENO, MXN PESO MEXICANO, UYU PESO URUGUAYO, COP PESO COLOMBIANO, BOB BOLIVIAN BOLIVIANO,
  NZD DOLAR NEOZELANDES, ZAR RAND SUDAFRICANO, SEK CORONA SUECA, DKK CORONA DANESA, NOK CORONA NORUEGA,
  AED UAE DIRHAM, PEN PERUVIAN NUEVO SOL, SGD SINGAPORE DOLLAR, TWD NEW TAIWAN DOLLAR, XAU ORO`);

const TABLES = 'table[id="cotizacion-interbancaria"]';

/**
 * Central Bank of Paraguay: guaraníes for one unit between banks. One page per year and currency, with months in columns.
 */
export const feed: Feed = {
  key: 'BCP',
  currencyByCurrency: true,
  backfillDays: 365,
  blank: 'a year without a rate of this currency is marked ND throughout',

  async *read(window, { http }) {
    for (const { year } of yearsOf(window)) {
      for (const [name, base] of NAMES) {
        const response = await http.get(ENDPOINT, { query: { anho: year, moneda: base } });
        const page = htmlPage(response);
        const title = clean(page(TABLES).first().text());
        if (!title.endsWith(`DEL AÑO ${year} DE MONEDA ${name}`))
          throw new FeedError(`${response.url}: the title is not that of ${name} in ${year}: "${title}"`);
        const rows = tableCells(page, `${TABLES}:has(tbody)`, response);
        const figures = figuresUnder(rows, ([first]) => first === '#');
        if (new Set(figures.map(({ heading }) => heading)).size !== 12)
          throw new FeedError(`${response.url}: no row # with twelve months in its tables`);
        const days = figures.map(({ first, heading, cell }) => ({
          date: [year, monthNumber(heading), first].map((part) => String(part).padStart(2, '0')).join('-'),
          printed: cell === 'ND' ? '' : cell,
        }));
        yield ratesFrom(
          response,
          { from: `${year}-01-01`, to: `${year}-12-31` },
          // Days that do not exist in a month also have a cell.
          days.filter(({ date, printed }) => isCalendarDate(date) || printed !== ''),
          ({ date, printed }) => ({ date, base, quote: 'PYG', rate: numberOrMissing(printed, ',') }),
        );
      }
    }
  },
};
