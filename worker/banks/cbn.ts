import * as z from 'zod';
import { type Feed, ratesFrom, withSides } from '../feeds/feed.js';
import { codeTable } from '../feeds/toolbox/code-table.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { parseJson } from '../feeds/toolbox/json.js';
import { numberOrMissing } from '../feeds/toolbox/numbers.js';

const ENDPOINT = 'https://www.cbn.gov.ng/api/GetAllExchangeRates';
const MAX_BYTES = 64 * 1024 * 1024;

/** Names of today and of the years around 2012. All others, such as the unit of account WAUA, are not currencies. */
const CODES = codeTable(`
  XOF CFA, DKK DANISH KRONA, DKK DANISH KRONER, EUR EURO, JPY JAPANESE YEN, GBP POUND STERLING,
  GBP POUNDS STERLING, SAR RIYAL, XDR SDR, ZAR SOUTH AFRICAN RAND, CHF SWISS FRANC, AED UAE DIRHAM,
  USD US DOLLAR, JPY YEN, CNY YUAN/RENMINBI`);

const price = z.string().nullable();
const prices = { buyingrate: price, centralrate: price, sellingrate: price };
const schema = z.array(z.object({ currency: z.string(), ratedate: z.string(), ...prices }));

/** Central Bank of Nigeria: the central rate in naira for one unit, the whole history in one response. */
export const feed: Feed = {
  key: 'CBN',
  reading: 2,

  async *read(_window, { http }) {
    const response = await http.get(ENDPOINT, { maxBytes: MAX_BYTES });
    const records = parseJson(response, schema);
    yield ratesFrom(response, 'any day', records, ({ currency, ratedate, ...price }) => ({
      date: parseDate(ratedate, 'YYYY-MM-DD'),
      base: CODES.get(currency.trim().toUpperCase()),
      quote: 'NGN',
      ...withSides(numberOrMissing, price.centralrate, price.buyingrate, price.sellingrate),
    }));
  },
};
