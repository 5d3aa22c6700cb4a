import { type CalendarDate, dayNumber } from '../dates.js';

/** A rate as a provider published it: one unit of `base` costs `rate` units of `quote` on `date`. */
export interface RawRow {
  provider: string;
  date: CalendarDate;
  base: string;
  quote: string;
  rate: number;
}

/** A row counts on its own day and on the 14 days after it, until a newer row replaces it. */
export const WINDOW_DAYS = 14;

export const PIVOT = 'USD';

export interface Series {
  readonly key: string;
  readonly provider: string;
  readonly base: string;
  readonly quote: string;
  /** Day number of the newest row; -Infinity before the first. */
  day: number;
  rate: number;
  /** The newest row and the rows of the 14 days before it, oldest first. */
  readonly recent: { day: number; rate: number }[];
  /** For a pair without the dollar: the same provider's dollar pairs that can convert it to dollars. */
  readonly bridges: Readonly<Record<'dollarQuote' | 'dollarBase' | 'baseDollar', Series>> | undefined;
}

export interface CarriedRows {
  readonly series: Map<string, Series>;
  /** By provider, base, quote, so that sums don't depend on the order of rows. Without `unsorted`. */
  sorted: readonly Series[];
  unsorted: Series[];
  /** All series by the currencies of their pairs; undefined until it is needed. */
  naming: Map<string, Series[]> | undefined;
}

export function createCarriedRows(): CarriedRows {
  return { series: new Map(), sorted: [], unsorted: [], naming: undefined };
}

/** The series of a pair. Creates it if it is new. */
export function seriesOf(carried: CarriedRows, provider: string, base: string, quote: string): Series {
  const key = `${provider} ${base} ${quote}`;
  const known = carried.series.get(key);
  if (known) return known;
  const bridges =
    base === PIVOT || quote === PIVOT
      ? undefined
      : {
          dollarQuote: seriesOf(carried, provider, PIVOT, quote),
          dollarBase: seriesOf(carried, provider, PIVOT, base),
          baseDollar: seriesOf(carried, provider, base, PIVOT),
        };
  const series: Series = {
    key,
    provider,
    base,
    quote,
    day: Number.NEGATIVE_INFINITY,
    rate: Number.NaN,
    recent: [],
    bridges,
  };
  carried.series.set(key, series);
  carried.unsorted.push(series);
  carried.naming = undefined;
  return series;
}

/** Records a row as the newest of its series, unless a newer row was observed. */
export function observe(series: Series, day: number, rate: number): void {
  if (day < series.day) return;
  const { recent } = series;
  if (day === series.day) recent.pop();
  while (recent[0] && recent[0].day < day - WINDOW_DAYS) recent.shift();
  recent.push({ day, rate });
  series.day = day;
  series.rate = rate;
}

/** Records a row after its day. If it is not the newest, it only joins the recent rows. */
export function observeLate(series: Series, day: number, rate: number): void {
  observe(series, day, rate);
  if (day === series.day || day < series.day - WINDOW_DAYS) return;
  series.recent.push({ day, rate });
  series.recent.sort((one, other) => one.day - other.day);
}

/** Whether the series has a row in the window up to the day. No later row may have been observed. */
export function isCarried(series: Series, day: number): boolean {
  return series.day >= day - WINDOW_DAYS;
}

/** Every series, sorted by provider, base, quote. */
export function sortedSeries(carried: CarriedRows): readonly Series[] {
  if (carried.unsorted.length > 0) {
    // TimSort does not compare again what is already in order.
    carried.sorted = [...carried.sorted, ...carried.unsorted].sort((one, other) =>
      one.key < other.key ? -1 : 1,
    );
    carried.unsorted = [];
  }
  return carried.sorted;
}

/** The series of all pairs that contain a currency, in the same order. */
export function seriesNaming(carried: CarriedRows, currency: string): readonly Series[] {
  if (!carried.naming) {
    carried.naming = new Map();
    for (const series of sortedSeries(carried)) {
      for (const code of [series.base, series.quote]) {
        const naming = carried.naming.get(code);
        if (naming) naming.push(series);
        else carried.naming.set(code, [series]);
      }
    }
  }
  return carried.naming.get(currency) ?? [];
}

/** The newest rows as of a date. Later rows are ignored. */
export function carryForward(rows: Iterable<RawRow>, asOf: CalendarDate): CarriedRows {
  const carried = createCarriedRows();
  for (const { provider, date, base, quote, rate } of rows) {
    if (date > asOf) continue;
    observe(seriesOf(carried, provider, base, quote), dayNumber(date), rate);
  }
  return carried;
}
