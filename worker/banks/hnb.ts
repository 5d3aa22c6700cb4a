import { z } from 'zod';
import type { Feed } from '../feeds/feed.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { parseAnswer } from '../feeds/toolbox/json.js';
import { numberOrMissing } from '../feeds/toolbox/numbers.js';

const URL = 'https://api.hnb.hr/tecajn-eur/v3';

const text = z.string().nullish();
const schema = z.array(z.object({ datum_primjene: text, valuta: text, srednji_tecaj: text }));

/** Croatian National Bank: the middle rate of one euro, under the day on which the list applies. */
export const feed: Feed = {
  key: 'HNB',
  backfillDays: 90,

  async *rows({ from, to }, { http }) {
    const query = { 'datum-primjene-od': from, 'datum-primjene-do': to };
    for (const row of parseAnswer(schema, await http.get(URL, { query }))) {
      const { datum_primjene: day, valuta: quote } = row;
      const rate = numberOrMissing(row.srednji_tecaj, ',');
      if (day && quote && rate) yield { date: parseDate(day, 'YYYY-MM-DD'), base: 'EUR', quote, rate };
    }
  },
};
