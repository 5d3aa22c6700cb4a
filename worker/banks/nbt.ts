import type { CalendarDate } from '../../core/domain/dates.js';
import { type Feed, FeedError, noData, oneOfMany, type Reading, ratesFrom } from '../feeds/feed.js';
import type { HttpAnswer } from '../feeds/http/client.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { numberOf, numberOrMissing } from '../feeds/toolbox/numbers.js';
import { daysOf } from '../feeds/toolbox/windows.js';
import { xmlRoot } from '../feeds/toolbox/xml.js';

const ENDPOINT = 'https://www.nbt.tj/en/kurs/export_xml.php';

/**
 * National Bank of Tajikistan: somoni for a stated number of units, one request per day, including weekends and holidays.
 */
export const feed: Feed = {
  key: 'NBT',
  pauseMs: 200,
  dayByDay: true,
  backfillDays: 30,
  firstDay: '2001-01-01',
  empty: 'a day without rates has a date alone',

  async *read(window, { http, today }) {
    for (const day of daysOf(window)) {
      yield await oneOfMany({ from: day, to: day }, async () => {
        const response = await http.get(ENDPOINT, { query: { date: day, export: 'xmlout' } });
        return ratesOf(response, day, today);
      });
    }
  },
};

function ratesOf(response: HttpAnswer, day: CalendarDate, today: CalendarDate): Reading {
  const table = xmlRoot(response, 'ValCurs');
  const date = parseDate(table.attribute('Date'), 'YYYY-MM-DD');
  if (date !== day && day >= today)
    return noData(response, "a day whose table is not out yet is answered with the newest one's");
  if (date !== day)
    throw new FeedError(`${response.url}: responded with the table of ${date}, not of ${day}`);
  return ratesFrom(response, { from: day, to: day }, table.children, (entry) => ({
    date,
    base: entry.text('CharCode'),
    quote: 'TJS',
    rate: numberOrMissing(entry.text('Value')),
    units: numberOf(entry.text('Nominal')),
  }));
}
