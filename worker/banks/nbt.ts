import { type Feed, FeedError } from '../feeds/feed.js';
import { numberOrMissing } from '../feeds/toolbox/numbers.js';
import { daysOf } from '../feeds/toolbox/windows.js';
import { xmlRoot } from '../feeds/toolbox/xml.js';

const URL = 'https://www.nbt.tj/en/kurs/export_xml.php';
const NUMBER = /^\d+(\.\d+)?$/;

/** National Bank of Tajikistan: somoni for so many units, one day a request, weekends included. */
export const feed: Feed = {
  key: 'NBT',
  backfillDays: 30,

  async *rows(window, { http }) {
    for (const day of daysOf(window)) {
      await http.pause(200);
      const answer = await http.get(URL, { query: { date: day, export: 'xmlout' } });
      const table = xmlRoot(answer, 'ValCurs');
      const date = table.attribute('Date');
      if (!date) throw new FeedError(`${answer.url}: a table without its date`);
      // A day that the bank has no table for is answered with today's.
      if (date !== day) continue;
      for (const entry of table.all('Valute')) {
        const [value, nominal] = [entry.text('Value'), entry.text('Nominal')].map((text) =>
          NUMBER.test(text ?? '') ? numberOrMissing(text) : undefined,
        );
        const base = entry.text('CharCode');
        if (base && value && nominal) yield { date, base, quote: 'TJS', rate: value / nominal };
      }
    }
  },
};
