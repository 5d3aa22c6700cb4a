import { z } from 'zod';
import { type CalendarDate, isWeekend, later } from '../../core/domain/dates.js';
import { type Feed, FeedError, type Window } from '../feeds/feed.js';
import type { HttpClient } from '../feeds/http/client.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { parseAnswer } from '../feeds/toolbox/json.js';
import { stepsOf } from '../feeds/toolbox/windows.js';

const API = 'https://api.nbrb.by/exrates';
const STEP_DAYS = 365;
/** The first day of the present rouble: before it the bank's figures are in one that was worth 10,000 times less. */
const FIRST_DAY = '2016-07-01';

const currency = { Cur_ID: z.number(), Cur_Abbreviation: z.string(), Cur_Scale: z.number().positive() };
const today = z.array(z.object(currency)).min(1);
const everyCurrency = z.array(
  z.object({ ...currency, Cur_Periodicity: z.number(), Cur_DateStart: z.string(), Cur_DateEnd: z.string() }),
);
const series = z.array(z.object({ Cur_ID: z.number(), Date: z.string(), Cur_OfficialRate: z.number() }));

/**
 * National Bank of the Republic of Belarus: roubles for so many units, one series a currency, listed for every
 * calendar day; weekends repeat Friday and are left out. A currency whose name or nominal changed goes on under a
 * new id, so its older days stand under ids that are no longer in today's list.
 */
export const feed: Feed = {
  key: 'NBRB',
  backfillDays: STEP_DAYS,

  async *rows({ from, to }, { http }) {
    const window = { from: later(from, FIRST_DAY), to };
    if (window.from > to) return;
    const current = parseAnswer(today, await http.get(`${API}/rates`, { query: { periodicity: 0 } }));
    let beginsLater = false;
    for (const entry of current) {
      const rates = await readSeries(http, entry.Cur_ID, window);
      beginsLater ||= (rates[0]?.date ?? to) > window.from;
      yield* inRoubles(rates, entry);
    }
    if (!beginsLater) return;
    const known = new Set(current.map(({ Cur_ID }) => Cur_ID));
    for (const entry of parseAnswer(everyCurrency, await http.get(`${API}/currencies`))) {
      const [start, end] = [entry.Cur_DateStart, entry.Cur_DateEnd].map((day) =>
        parseDate(day, 'YYYY-MM-DD'),
      );
      const daily = entry.Cur_Periodicity === 0 && !known.has(entry.Cur_ID);
      if (!daily || (start ?? '') > to || (end ?? '') < window.from) continue;
      yield* inRoubles(await readSeries(http, entry.Cur_ID, window), entry);
    }
  },
};

interface OfficialRate {
  date: CalendarDate;
  rate: number;
}

async function readSeries(http: HttpClient, id: number, window: Window): Promise<OfficialRate[]> {
  const rates: OfficialRate[] = [];
  for (const { from, to } of stepsOf(window, STEP_DAYS)) {
    const url = `${API}/rates/dynamics/${id}`;
    const answer = await http.get(url, { query: { startDate: from, endDate: to } });
    for (const row of parseAnswer(series, answer)) {
      if (row.Cur_ID !== id) throw new FeedError(`${answer.url}: answers for the id ${row.Cur_ID}`);
      rates.push({ date: parseDate(row.Date, 'YYYY-MM-DD'), rate: row.Cur_OfficialRate });
    }
  }
  return rates;
}

function* inRoubles(rates: readonly OfficialRate[], entry: { Cur_Abbreviation: string; Cur_Scale: number }) {
  for (const { date, rate } of rates) {
    if (isWeekend(date)) continue;
    yield { date, base: entry.Cur_Abbreviation, quote: 'BYN', rate: rate / entry.Cur_Scale };
  }
}
