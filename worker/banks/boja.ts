import { z } from 'zod';
import { type Feed, FeedError } from '../feeds/feed.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { hiddenFields, htmlPage } from '../feeds/toolbox/html.js';
import { parseAnswer } from '../feeds/toolbox/json.js';
import { midpoint } from '../feeds/toolbox/midpoint.js';
import { numberOrMissing } from '../feeds/toolbox/numbers.js';

const SITE = 'https://boj.org.jm';
const TABLE = 134;
const NONCE = `wdtNonceFrontendServerSide_${TABLE}`;

/** Without NORTHERN IRELAND POUND, a second price for the pound of Great Britain. */
const CODES: Readonly<Record<string, string>> = {
  'U.S. DOLLAR': 'USD',
  'GREAT BRITAIN POUND': 'GBP',
  'CANADA DOLLAR': 'CAD',
  EURO: 'EUR',
  'JAPANESE YEN': 'JPY',
  'SWISS FRANC': 'CHF',
  'AUSTRALIAN DOLLAR': 'AUD',
  'DANISH KRONE': 'DKK',
  'NORWEGIAN KRONE': 'NOK',
  'SWEDISH KRONA': 'SEK',
  'HONG KONG DOLLAR': 'HKD',
  'BARBADOS DOLLAR': 'BBD',
  'BELIZE DOLLAR': 'BZD',
  'T&T DOLLAR': 'TTD',
  'BAHAMAS DOLLAR': 'BSD',
  'CAYMAN DOLLAR': 'KYD',
  'GUYANA DOLLAR': 'GYD',
  'E. C. DOLLAR': 'XCD',
  'DOMINICAN REP. PESO': 'DOP',
  'GIBRALTAR POUND': 'GIP',
};

/** Date, name, and what the bank pays for transfers, notes and coins and asks in selling. */
const price = z.string().nullable();
const schema = z.object({
  data: z.array(z.tuple([z.string().nullable(), z.string().nullable(), price, price, price, price])).min(1),
});

/** Bank of Jamaica: the midpoint of buying (transfers) and selling in Jamaican dollars for one unit, the whole archive at once. */
export const feed: Feed = {
  key: 'BOJA',

  async *rows(_window, { http }) {
    const page = await http.get(`${SITE}/market/foreign-exchange/counter-rates/`);
    const nonce = hiddenFields(htmlPage(page), [NONCE], page)[NONCE];
    const answer = await http.post(`${SITE}/wp-admin/admin-ajax.php`, {
      query: { action: 'get_wdtable', table_id: TABLE },
      form: { draw: 1, start: 0, length: -1, wdtNonce: nonce },
    });
    let known = 0;
    for (const [day, name, buying, , , selling] of parseAnswer(schema, answer).data) {
      const base = CODES[labelOf(name ?? '')];
      if (!day?.trim() || base === undefined) continue;
      known++;
      const [bought, sold] = [numberOrMissing(buying), numberOrMissing(selling)];
      // With one side alone there is no middle.
      if (!bought || !sold) continue;
      yield { date: parseDate(day, 'DD Mon YYYY'), base, quote: 'JMD', rate: midpoint(bought, sold) };
    }
    if (known === 0) throw new FeedError(`${answer.url}: the archive names no currency that is known`);
  },
};

function labelOf(name: string): string {
  return name
    .replace(/&(#0*38|amp);/, '&')
    .trim()
    .toUpperCase();
}
