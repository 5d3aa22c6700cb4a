import * as z from 'zod';
import { type Feed, FeedError, type Figure, ratesFrom, withSides } from '../feeds/feed.js';
import { codeTable } from '../feeds/toolbox/code-table.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { parseJson } from '../feeds/toolbox/json.js';
import { numberOrMissing } from '../feeds/toolbox/numbers.js';

const ENDPOINT = 'https://www.centralbank.go.ke/wp-admin/admin-ajax.php';
const TABLE = 193;
const FIRST_DAY = '2024-01-05';
/** From 2003 until a few days after the start of the other table. */
const FORMER_TABLE = 32;

const CODES = codeTable(`
  USD US DOLLAR, GBP STG POUND, EUR EURO, JPY JAPANESE YEN, JPY JPY, CHF SWISS FRANC, CHF S FRANC,
  CAD CAN DOLLAR, CAD CAN $, ZAR S. AFRICAN RAND, ZAR SA RAND, AUD AUSTRALIAN DOLLAR, AUD AUSTRALIAN $,
  INR INDIAN RUPEE, INR IND RUPEE, SEK SWEDISH KRONA, SEK SW KRONER, SEK SWEDISH KRONER,
  NOK NORWEGIAN KRONE, NOK NOR KRONER, DKK DAN KRONER, CNY CHINESE YUAN, AED AE DIRHAM, AED UAE DIRHAM,
  HKD HONGKONG DOLLAR, SGD SINGAPORE DOLLAR, SAR SAUDI RIYAL`);

/** Quoted inversely: units for one Kenya shilling. */
const NEIGHBOURS: Readonly<Record<string, string>> = { USHS: 'UGX', TSHS: 'TZS', RWF: 'RWF', BIF: 'BIF' };

/** Date, label and mean. The former table also has buying and selling columns. */
const text = z.string();
const row = z.tuple([text, text, text, text.optional(), text.optional()]).rest(z.unknown());
const schema = z.object({ recordsTotal: z.coerce.number(), data: z.array(z.unknown()).min(1) });

/**
 * Central Bank of Kenya: the mean rate in shillings for one unit, or for a hundred if the label says so. Each table at once.
 */
export const feed: Feed = {
  key: 'CBK',
  reading: 2,

  async *read({ from }, { http }) {
    for (const table of from < FIRST_DAY ? [FORMER_TABLE, TABLE] : [TABLE]) {
      const response = await http.post(ENDPOINT, {
        query: { action: 'get_wdtable', table_id: table },
        form: { draw: 1, start: 0, length: -1 },
      });
      const { data, recordsTotal } = parseJson(response, schema);
      if (data.length !== recordsTotal)
        throw new FeedError(`${response.url}: ${data.length} rows of ${recordsTotal}: cut short`);
      yield ratesFrom(response, 'any day', data, (record) => {
        const cells = row.safeParse(record);
        if (!cells.success) throw new FeedError('a row without three texts');
        const [day, label, mean, buying = '', selling = ''] = cells.data;
        return {
          date: parseDate(day, 'DD/MM/YYYY'),
          ...withSides(numberOrMissing, mean, buying, selling),
          ...pairOf(label.trim().toUpperCase()),
        };
      });
    }
  },
};

/** The neighbours' currencies are named after the shilling: `KES / USHS`. Their sides may be those of either currency. */
function pairOf(label: string): Pick<Figure, 'base' | 'quote' | 'units' | 'buy' | 'sell'> {
  const neighbour = /^(?:KES|KEN|KEN SHILLING) ?\/ ?(\w+)\.?$/.exec(label)?.[1];
  if (neighbour !== undefined) return { base: 'KES', quote: NEIGHBOURS[neighbour], buy: null, sell: null };
  const [, name = '', units = '1'] = /^(.+?)\.?\s*(?:\((\d+)\))?$/.exec(label) ?? [];
  return { base: CODES.get(name), quote: 'KES', units: Number(units) };
}
