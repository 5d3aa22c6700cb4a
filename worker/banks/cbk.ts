import { z } from 'zod';
import { type Feed, FeedError } from '../feeds/feed.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { parseAnswer } from '../feeds/toolbox/json.js';
import { numberOf } from '../feeds/toolbox/numbers.js';

const URL = 'https://www.centralbank.go.ke/wp-admin/admin-ajax.php';
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
const schema = z.object({
  data: z.array(z.tuple([z.string(), z.string(), z.string()]).rest(z.unknown())).min(1),
});

/** Central Bank of Kenya: the mean rate in shillings for one unit, for a hundred where the label says so, each table at once. */
export const feed: Feed = {
  key: 'CBK',

  async *rows({ from }, { http }) {
    for (const table of from < FIRST_DAY ? [FORMER_TABLE, TABLE] : [TABLE]) {
      const answer = await http.post(URL, {
        query: { action: 'get_wdtable', table_id: table },
        form: { draw: 1, start: 0, length: -1 },
      });
      let known = 0;
      for (const [day, label, mean] of parseAnswer(schema, answer).data) {
        const pair = pairOf(label.trim().toUpperCase());
        if (!pair) continue;
        known++;
        const { base, quote, nominal } = pair;
        const rate = numberOf(mean) / nominal;
        if (rate > 0) yield { date: parseDate(day, 'DD/MM/YYYY'), base, quote, rate };
      }
      if (known === 0) throw new FeedError(`${answer.url}: no label names a currency that is known`);
    }
  },
};

function pairOf(label: string): { base: string; quote: string; nominal: number } | undefined {
  const neighbour = /^(?:KES|KEN|KEN SHILLING) ?\/ ?(\w+)$/.exec(label)?.[1];
  if (neighbour !== undefined) {
    const quote = NEIGHBOURS[neighbour];
    return quote ? { base: 'KES', quote, nominal: 1 } : undefined;
  }
  const [, name = '', nominal = '1'] = /^(.+?)\s*(?:\((\d+)\))?$/.exec(label) ?? [];
  const base = CODES[name];
  return base ? { base, quote: 'KES', nominal: Number(nominal) } : undefined;
}
