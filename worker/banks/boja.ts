import * as z from 'zod';
import { type Feed, FeedError, ratesFrom, sidesOf, skipped } from '../feeds/feed.js';
import { codeTable } from '../feeds/toolbox/code-table.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { hiddenFields, htmlPage, type Page } from '../feeds/toolbox/html.js';
import { parseJson } from '../feeds/toolbox/json.js';
import { numberOrMissing } from '../feeds/toolbox/numbers.js';

const SITE = 'https://boj.org.jm';
const TABLE = 134;
const NONCE = `wdtNonceFrontendServerSide_${TABLE}`;

const CODES = codeTable(`
  USD U.S. DOLLAR, GBP GREAT BRITAIN POUND, CAD CANADA DOLLAR, EUR EURO, JPY JAPANESE YEN,
  CHF SWISS FRANC, AUD AUSTRALIAN DOLLAR, DKK DANISH KRONE, NOK NORWEGIAN KRONE, SEK SWEDISH KRONA,
  HKD HONG KONG DOLLAR, BBD BARBADOS DOLLAR, BZD BELIZE DOLLAR, TTD T&T DOLLAR, BSD BAHAMAS DOLLAR,
  KYD CAYMAN DOLLAR, GYD GUYANA DOLLAR, XCD E. C. DOLLAR, DOP DOMINICAN REP. PESO, GIP GIBRALTAR POUND`);

const SECOND_POUND = 'NORTHERN IRELAND POUND';

/** The columns as declared by the page: the buying prices of transfers, notes and coins, and the selling price. */
const COLUMNS = 'date,currency,buying,notes,coins,selling';

const price = z.string().nullable();
const row = z.tuple([z.string().nullable(), z.string().nullable(), price, price, price, price]);
const schema = z.object({ data: z.array(row).min(1) });

/**
 * Bank of Jamaica: the midpoint of buying (transfers) and selling in Jamaican dollars for one unit, the whole archive at
 * once.
 */
export const feed: Feed = {
  key: 'BOJA',
  reading: 2,

  async *read(_window, { http, navigation }) {
    const landing = await navigation.get(`${SITE}/market/foreign-exchange/counter-rates/`);
    const page = htmlPage(landing);
    const nonce = hiddenFields(page, [NONCE], landing)[NONCE];
    const columns = columnsOf(page);
    if (columns !== COLUMNS)
      throw new FeedError(`${landing.url}: the columns are ${columns}, not ${COLUMNS}`);
    const response = await http.post(`${SITE}/wp-admin/admin-ajax.php`, {
      query: { action: 'get_wdtable', table_id: TABLE },
      form: { draw: 1, start: 0, length: -1, wdtNonce: nonce },
    });
    const { data } = parseJson(response, schema);
    yield ratesFrom(response, 'any day', data, ([day, name, buying, , , selling]) => {
      const label = labelOf(name ?? '');
      if (label === SECOND_POUND) return skipped('a second price for the pound of Great Britain');
      return {
        date: parseDate(day, 'DD Mon YYYY'),
        base: CODES.get(label),
        quote: 'JMD',
        ...sidesOf(numberOrMissing(buying), numberOrMissing(selling)),
      };
    });
  },
};

/** The names of the table's columns, which the page contains as JSON for its script. */
function columnsOf(page: Page): string {
  const tables = page('input[id$="_desc"]')
    .toArray()
    .map((input) => input.attribs.value ?? '');
  const table = tables.find((text) => text.includes(`"tableWpId":${TABLE},`)) ?? '';
  const names = [...table.matchAll(/"origHeader":"(\w+)"/g)].map(([, name]) => name);
  return names.slice(0, 6).join(',');
}

function labelOf(name: string): string {
  return name
    .replace(/&(#0*38|amp);/, '&')
    .trim()
    .toUpperCase();
}
