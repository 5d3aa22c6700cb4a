import {
  type DayWindow,
  fromDayNumber,
  type Grouping,
  type Periods,
  periodsOf,
} from '../../../core/domain/dates.js';
import { roundForDisplay, roundForStorage } from '../../../core/domain/rounding.js';
import { PlainRows, type RatesOfDate, type Stats } from './row.js';

/** Adds to the rows of each period of a range the statistics of its daily rows, which are those within the range. */
export function withStats(
  { quotes, nextDate }: PlainRows,
  daily: PlainRows,
  range: DayWindow & { period: Grouping; stats?: 'display' | 'full' },
): PlainRows {
  const shown = range.stats === 'full' ? roundForStorage : roundForDisplay;
  const nextFigures = figuresByPeriod(daily, periodsOf(range.period, range), shown);
  const indices = quotes.map((quote) => daily.quotes.indexOf(quote));
  let found = nextFigures();
  return new PlainRows(quotes, () => {
    const date = nextDate();
    if (!date) return undefined;
    // A period may have daily rows but no row of its own.
    while (found && found.day < date.day) found = nextFigures();
    const figures = found?.day === date.day ? found.figures : [];
    const stats = indices.map((index) => statsOf(figures[index], shown));
    return { ...date, marks: { ...date.marks, stats } };
  });
}

/** Computes the arithmetic means of daily rows over periods, for rows that are grouped in their own base. */
export function meanRows(daily: PlainRows, periods: Periods): PlainRows {
  const nextFigures = figuresByPeriod(daily, periods, (rate) => rate);
  return new PlainRows(daily.quotes, () => {
    const found = nextFigures();
    const meanOf = (figures: Figures | undefined) => (figures ? figures.sum / figures.days : Number.NaN);
    return found && { day: found.day, rates: Float64Array.from(found.figures, meanOf) };
  });
}

type Rounding = (rate: number) => number;

/** Returns a function for the figures of the next period with daily rows, in the order of their quotes. */
function figuresByPeriod({ quotes, nextDate }: PlainRows, periods: Periods, shown: Rounding) {
  let next = nextDate();
  return () => {
    if (!next) return undefined;
    const day = periods.firstDayOf(next.day);
    const last = periods.lastDayOf(next.day);
    const figures = new Array<Figures | undefined>(quotes.length).fill(undefined);
    for (; next && next.day <= last; next = nextDate()) addFigures(next, figures, shown);
    return { day, figures };
  };
}

/** The figures of daily rates of a pair, in order. */
class Figures {
  readonly first: number;
  last = Number.NaN;
  lastDay = 0;
  low = Number.POSITIVE_INFINITY;
  high = Number.NEGATIVE_INFINITY;
  sum = 0;
  days = 0;

  constructor(first: number) {
    this.first = first;
  }
}

function addFigures({ day, rates, marks }: RatesOfDate, figures: (Figures | undefined)[], shown: Rounding) {
  const exact = marks?.exact;
  for (let index = 0; index < rates.length; index++) {
    const rate = rates[index] ?? Number.NaN;
    if (Number.isNaN(rate)) continue;
    const value = exact?.[index] === 1 ? rate : shown(rate);
    const known = figures[index] ?? new Figures(value);
    figures[index] = known;
    known.last = value;
    known.lastDay = day;
    if (value < known.low) known.low = value;
    if (value > known.high) known.high = value;
    known.sum += value;
    known.days++;
  }
}

const NO_STATS: Stats = {
  first: null,
  last: null,
  last_date: null,
  low: null,
  high: null,
  average: null,
  days: 0,
};

function statsOf(figures: Figures | undefined, shown: Rounding): Stats {
  if (!figures) return NO_STATS;
  const { first, last, lastDay, low, high, sum, days } = figures;
  // The mean of equal rates may differ from them in the last digit, and a peg has more digits than other rates show.
  const average = low === high ? low : shown(sum / days);
  return { first, last, last_date: fromDayNumber(lastDay), low, high, average, days };
}
