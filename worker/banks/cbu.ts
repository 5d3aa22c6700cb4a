import { z } from 'zod';
import type { Feed } from '../feeds/feed.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { parseAnswer } from '../feeds/toolbox/json.js';
import { numberOf } from '../feeds/toolbox/numbers.js';
import { weekdaysOf } from '../feeds/toolbox/windows.js';

const URL = 'https://cbu.uz/en/arkhiv-kursov-valyut/json/all';

const schema = z.array(
  z.object({ Ccy: z.string(), Nominal: z.string(), Rate: z.string(), Date: z.string() }),
);

/** Central Bank of Uzbekistan: soum for so many units, one weekday a request; the answer's date is the rate's. */
export const feed: Feed = {
  key: 'CBU',
  backfillDays: 30,

  async *rows(window, { http }) {
    for (const asked of weekdaysOf(window)) {
      const list = parseAnswer(schema, await http.get(`${URL}/${asked}/`));
      await http.pause(200);
      for (const { Ccy, Nominal, Rate, Date: day } of list) {
        const [value, nominal] = [numberOf(Rate), numberOf(Nominal)];
        if (value === 0 || nominal === 0) continue;
        yield { date: parseDate(day, 'DD.MM.YYYY'), base: Ccy, quote: 'UZS', rate: value / nominal };
      }
    }
  },
};
