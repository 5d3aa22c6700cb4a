import { z } from 'zod';
import { type Feed, FeedError } from '../feeds/feed.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { parseAnswer } from '../feeds/toolbox/json.js';
import { numberOrMissing } from '../feeds/toolbox/numbers.js';

const URL = 'https://www.cbn.gov.ng/api/GetAllExchangeRates';
const MAX_BYTES = 64 * 1024 * 1024;

/** Names of today and of the years about 2012; all others, such as the unit of account WAUA, are no currencies. */
const CODES: Readonly<Record<string, string>> = {
  CFA: 'XOF',
  'DANISH KRONA': 'DKK',
  'DANISH KRONER': 'DKK',
  EURO: 'EUR',
  'JAPANESE YEN': 'JPY',
  'POUND STERLING': 'GBP',
  'POUNDS STERLING': 'GBP',
  RIYAL: 'SAR',
  SDR: 'XDR',
  'SOUTH AFRICAN RAND': 'ZAR',
  'SWISS FRANC': 'CHF',
  'UAE DIRHAM': 'AED',
  'US DOLLAR': 'USD',
  YEN: 'JPY',
  'YUAN/RENMINBI': 'CNY',
};

const schema = z.array(
  z.object({ currency: z.string(), ratedate: z.string(), centralrate: z.string().nullish() }),
);

/** Central Bank of Nigeria: the central rate in naira for one unit; the whole history comes in one answer. */
export const feed: Feed = {
  key: 'CBN',

  async *rows(_window, { http }) {
    const answer = await http.get(URL, { maxBytes: MAX_BYTES });
    const history = parseAnswer(schema, answer);
    if (history.length === 0) throw new FeedError(`${answer.url}: an empty history`);
    for (const { currency, ratedate, centralrate } of history) {
      const base = CODES[currency.trim().toUpperCase()];
      const rate = numberOrMissing(centralrate);
      if (base && rate) yield { date: parseDate(ratedate, 'YYYY-MM-DD'), base, quote: 'NGN', rate };
    }
  },
};
