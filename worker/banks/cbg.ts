import * as z from 'zod';
import { type Feed, FeedError, ratesFrom } from '../feeds/feed.js';
import { epochDate } from '../feeds/toolbox/dates.js';
import { parseJson } from '../feeds/toolbox/json.js';

const ENDPOINT = 'https://www.cbg.gm/ajax/indicative-exchange-rates';
const CURRENCIES =
  'USD EUR GBP CHF SEK CAD XOF NOK DKK SAR JPY AUD TWD LKR THB PHP NZD AED KWD NGN HKD ZAR EGP CNY BRL INR GHS SLL TRY GNF XDR SGD'.split(
    ' ',
  );

/** The number of units of the series, which only their cross rates show. All others are for one unit. */
const UNITS: Readonly<Record<string, number>> = { SEK: 100, NOK: 100, DKK: 100, JPY: 100, XOF: 5000 };

/** Since 2024 a hundred kroner cost more than a thousand dalasi, which the site truncates at the thousands separator. */
const LEAST_KRONER_PRICE = 20;

const schema = z.array(z.tuple([z.number(), z.number().nullable()]));

/** Central Bank of The Gambia: dalasi for a stated number of units, one series per currency with its whole history. */
export const feed: Feed = {
  key: 'CBG',
  currencyByCurrency: true,
  empty: 'a currency without rates has an empty series',

  async *read(_window, { http }) {
    for (const currency of CURRENCIES) {
      const response = await http.get(`${ENDPOINT}/${currency}`);
      yield ratesFrom(response, 'any day', parseJson(response, schema), ([instant, price]) => {
        const date = epochDate(instant);
        const cut = currency === 'DKK' && price !== null && price < LEAST_KRONER_PRICE;
        if (cut) throw new FeedError(`kroner at ${price} on ${date}: cut at the thousands comma`);
        return {
          date,
          base: currency,
          quote: 'GMD',
          rate: price ?? undefined,
          units: UNITS[currency] ?? 1,
        };
      });
    }
  },
};
