import { z } from 'zod';
import { type Feed, FeedError, ratesFrom } from '../feeds/feed.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { parseJson } from '../feeds/toolbox/json.js';
import { numberOf } from '../feeds/toolbox/numbers.js';

const ENDPOINT = 'https://www.centralbank.go.ke/wp-admin/admin-ajax.php';
const TABLE = 193;
const FIRST_DAY = '2024-01-05';
/** From 2003 to a few days after the other one begins. */
const FORMER_TABLE = 32;

const CODES: Readonly<Record<string, string>> = {
  'US DOLLAR': 'USD',
  'STG POUND': 'GBP',
  EURO: 'EUR',
  'JAPANESE YEN': 'JPY',
  JPY: 'JPY',
  'SWISS FRANC': 'CHF',
  'S FRANC': 'CHF',
  'CAN DOLLAR': 'CAD',
  'CAN $': 'CAD',
  'S. AFRICAN RAND': 'ZAR',
  'SA RAND': 'ZAR',
  'AUSTRALIAN DOLLAR': 'AUD',
  'AUSTRALIAN $': 'AUD',
  'INDIAN RUPEE': 'INR',
  'IND RUPEE': 'INR',
  'SWEDISH KRONA': 'SEK',
  'SW KRONER': 'SEK',
  'SWEDISH KRONER': 'SEK',
  'NORWEGIAN KRONE': 'NOK',
  'NOR KRONER': 'NOK',
  'DAN KRONER': 'DKK',
  'CHINESE YUAN': 'CNY',
  'AE DIRHAM': 'AED',
  'UAE DIRHAM': 'AED',
  'HONGKONG DOLLAR': 'HKD',
  'SINGAPORE DOLLAR': 'SGD',
  'SAUDI RIYAL': 'SAR',
};

/** Quoted the other way: units for one Kenya shilling. */
const NEIGHBOURS: Readonly<Record<string, string>> = { USHS: 'UGX', TSHS: 'TZS', RWF: 'RWF', BIF: 'BIF' };

/** Date, label and mean; the former table goes on with buying and selling. */
const row = z.tuple([z.string(), z.string(), z.string()]).rest(z.unknown());
const schema = z.object({ recordsTotal: z.coerce.number(), data: z.array(row).min(1) });

/** Central Bank of Kenya: the mean rate in shillings for one unit, for a hundred where the label says so, each table at once. */
export const feed: Feed = {
  key: 'CBK',

  async *read({ from }, { http }) {
    for (const table of from < FIRST_DAY ? [FORMER_TABLE, TABLE] : [TABLE]) {
      const response = await http.post(ENDPOINT, {
        query: { action: 'get_wdtable', table_id: table },
        form: { draw: 1, start: 0, length: -1 },
      });
      const { data, recordsTotal } = parseJson(response, schema);
      if (data.length !== recordsTotal) {
        throw new FeedError(`${response.url}: ${data.length} rows of ${recordsTotal}: cut short`);
      }
      yield ratesFrom(response, 'any day', data, ([day, label, mean]) => ({
        date: parseDate(day, 'DD/MM/YYYY'),
        ...pairOf(label.trim().toUpperCase()),
        rate: numberOf(mean),
      }));
    }
  },
};

/** The names of the neighbours' currencies stand after the shilling's own: `KES / USHS`. */
function pairOf(label: string): { base: string | undefined; quote: string | undefined; units: number } {
  const neighbour = /^(?:KES|KEN|KEN SHILLING) ?\/ ?(\w+)\.?$/.exec(label)?.[1];
  if (neighbour !== undefined) return { base: 'KES', quote: NEIGHBOURS[neighbour], units: 1 };
  const [, name = '', units = '1'] = /^(.+?)\.?\s*(?:\((\d+)\))?$/.exec(label) ?? [];
  return { base: CODES[name], quote: 'KES', units: Number(units) };
}
