import { addDays, type CalendarDate } from '../../core/domain/dates.js';
import { type Feed, FeedError, noData, ratesFrom, skipped, type Window } from '../feeds/feed.js';
import type { HttpAnswer } from '../feeds/http/client.js';
import { csvRecords } from '../feeds/toolbox/csv.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { isNothingFound } from '../feeds/toolbox/not-found.js';
import { numberOrMissing } from '../feeds/toolbox/numbers.js';
import { monthsOf } from '../feeds/toolbox/windows.js';

const FILES = 'https://www.trade-tariff.service.gov.uk/uk/api/exchange_rates/files/monthly_csv_';
const COLUMNS = ['Currency Code', 'Currency Units per £1', 'Start date'] as const;
/** A list is published at most this many days before its month. */
const LEAD_DAYS = 31;

interface Line {
  code: string;
  date: CalendarDate;
  figure: number | undefined;
}

/** HM Revenue & Customs: units for one pound, one list per month. A correction takes effect within the month. */
export const feed: Feed = {
  key: 'HMRC',
  pauseMs: 100,
  backfillDays: 365,
  correctionDays: 31,
  firstDay: '2021-01-01',

  async *read(window, { http, today }) {
    const ahead = window.to >= today ? addDays(today, LEAD_DAYS) : window.to;
    for (const { year, month, first, last } of monthsOf({ from: window.from, to: ahead })) {
      const isLater = first > today;
      const response = await http.get(`${FILES}${year}-${month}.csv`, isLater ? { answers: [404] } : {});
      if (isNothingFound(response, /not found/)) {
        yield noData(response, '404 as for the list of a month that is not out yet');
        continue;
      }
      const lines = linesOf(response, { from: first, to: last });
      const dollar = lines.find(({ code }) => code === 'AUD')?.figure;
      const reading = ratesFrom(response, { from: first, to: last, exact: true }, lines, (line) => {
        if (line.code === 'ECS') return skipped('the sucre, which ended in 2000: it is the US dollar');
        // The lists of 2021 have the Australian dollar's figure for the pa'anga.
        if (line.code === 'TOP' && line.figure === dollar) return skipped("the Australian dollar's figure");
        return { date: line.date, base: 'GBP', rate: line.figure, ...meantBy(line) };
      });
      const isBefore = reading.rates.length > 0 && reading.rates.every(({ date }) => date < window.from);
      yield isBefore ? noData(response, 'no rate of the month begins in the window') : reading;
    }
  },
};

/**
 * The lines of a month's list. Throws a FeedError if a line has an invalid currency or figure, or a day outside the month.
 */
function linesOf(response: HttpAnswer, month: Window): Line[] {
  const lines = csvRecords(response, COLUMNS).map((record) => ({
    code: record['Currency Code'],
    date: parseDate(record['Start date'], 'DD/MM/YYYY'),
    figure: numberOrMissing(record['Currency Units per £1']),
  }));
  const odd = lines.find(
    ({ code, date }) => !/^[A-Z]{3}$/.test(code) || date < month.from || date > month.to,
  );
  if (odd) throw new FeedError(`${response.url}: ${odd.code} of ${odd.date} in the list from ${month.from}`);
  return lines;
}

/** The current code of the currency, and the rate if the figure is for several units. */
function meantBy({ code, date, figure = 0 }: Line): { quote: string } | { quote: string; rate: number } {
  if (code === 'VED') return { quote: 'VES' };
  if (code === 'ZIG') return { quote: 'ZWG' };
  if (code === 'SLE' && date < '2023-03-01') return { quote: 'SLL' };
  if (code === 'STD' && date >= '2018-01-01')
    return figure > 1000 ? { quote: 'STN', rate: figure / 1000 } : { quote: 'STN' };
  return { quote: code };
}
