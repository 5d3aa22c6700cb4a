import { addDays, type CalendarDate } from '../../core/domain/dates.js';
import { type Feed, FeedError, mismatch, noData, ratesFrom } from '../feeds/feed.js';
import type { HttpAnswer } from '../feeds/http/client.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { numberOf } from '../feeds/toolbox/numbers.js';
import { recentDays, weekdaysOf } from '../feeds/toolbox/windows.js';
import { type XmlElement, xmlRoot } from '../feeds/toolbox/xml.js';

const ENDPOINT = 'https://www.backend-rates.bazg.admin.ch/api/xmldaily';

/**
 * Swiss customs: the selling rate in francs for one, a hundred, a thousand or ten thousand units, for duties and VAT. A list
 * is determined on a working day and valid from the next day until the next list. Its date is its first valid day.
 */
export const feed: Feed = {
  key: 'BAZG',
  reading: 2,
  dayByDay: true,
  pauseMs: 200,
  weekends: true,
  backfillDays: 30,
  firstDay: '2022-06-29',
  unasked: 'the list of a Friday is valid from Saturday on',

  async *read(window, { http, today }) {
    const known = new Set<CalendarDate>();
    const last = window.to >= today ? today : addDays(window.to, -1);
    for (const day of weekdaysOf({ from: addDays(window.from, -1), to: last })) {
      const response = await http.get(ENDPOINT, { query: { d: day.replaceAll('-', ''), locale: 'en' } });
      const { determined, valid, lines } = listIn(response);
      if (determined > day) {
        yield mismatch(response, `the list of ${determined}, which is after the day asked for`);
      } else if (known.has(determined)) {
        yield noData(response, 'a day without a list is answered with the one before');
      } else {
        known.add(determined);
        yield ratesFrom(response, recentDays(addDays(day, 1)), lines, (line) => ({
          ...line,
          date: valid,
          quote: 'CHF',
          sell: line.rate,
        }));
      }
    }
  },
};

/** The day on which the list was determined, its first valid day, and its lines. */
function listIn(answer: HttpAnswer) {
  const root = xmlRoot(answer, 'wechselkurse');
  const determined = parseDate(root.only('datum').ownText, 'DD.MM.YYYY');
  const days = root
    .only('gueltigkeit')
    .ownText.split(',')
    .map((day) => parseDate(day, 'DD.MM.YYYY'));
  const [valid = determined] = days;
  if (valid <= determined || days.some((day, at) => day !== addDays(valid, at)))
    throw new FeedError(`${answer.url}: a list of ${determined} that is valid on ${days.join(', ')}`);
  return { determined, valid, lines: francLines(root, answer.url) };
}

const UNITS = [1, 100, 1000, 10_000];

interface FrancLine {
  base: string;
  /** Francs for `units` of the base. */
  rate: number;
  units: number;
}

/** The lines of a list of Swiss customs. Throws a FeedError if a line is malformed or a currency appears twice. */
export function francLines(list: XmlElement, source: string): FrancLine[] {
  const lines = list.all('devise').map(lineOf);
  const twice = lines.find(({ base }, at) => lines.findIndex((line) => line.base === base) < at);
  if (twice) throw new FeedError(`${source}: ${twice.base} appears twice`);
  return lines;
}

function lineOf(element: XmlElement): FrancLine {
  const [, count = '', base = ''] = /^(\d+) ([A-Z]{3})$/.exec(element.only('waehrung').ownText) ?? [];
  const [units, rate] = [Number(count), numberOf(element.only('kurs').ownText)];
  if (!UNITS.includes(units) || element.attribute('code')?.toUpperCase() !== base || !(rate > 0))
    throw new FeedError(`not a currency, a power of ten of it and its price: ${element.toJSON()}`);
  return { base, rate, units };
}
