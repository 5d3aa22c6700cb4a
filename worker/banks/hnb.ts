import * as z from 'zod';
import { type Feed, ratesFrom, withSides } from '../feeds/feed.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { parseJson } from '../feeds/toolbox/json.js';
import { numberOrMissing } from '../feeds/toolbox/numbers.js';

const ENDPOINT = 'https://api.hnb.hr/tecajn-eur/v3';

const price = z.string().nullable();
const prices = { kupovni_tecaj: price, srednji_tecaj: price, prodajni_tecaj: price };
const priceIn = (text: string | null) => numberOrMissing(text, ',');
const schema = z.array(z.object({ datum_primjene: z.string(), valuta: z.string(), ...prices }));

/** Croatian National Bank: the middle rate of one euro, dated by the day on which the list applies. */
export const feed: Feed = {
  key: 'HNB',
  reading: 2,
  backfillDays: 90,
  empty: 'a window without lists is an empty list',

  async *read(window, { http }) {
    const query = { 'datum-primjene-od': window.from, 'datum-primjene-do': window.to };
    const response = await http.get(ENDPOINT, { query });
    const records = parseJson(response, schema);
    yield ratesFrom(response, window, records, ({ datum_primjene, valuta: quote, ...price }) => ({
      date: parseDate(datum_primjene, 'YYYY-MM-DD'),
      base: 'EUR',
      quote,
      // Where the bank buys the other currency, it sells the euro.
      ...withSides(priceIn, price.srednji_tecaj, price.prodajni_tecaj, price.kupovni_tecaj),
    }));
  },
};
