import { type Grouping, type Periods, periodsOf } from '../domain/dates.js';
import { inForce, pegs, withAnchors } from '../domain/pegs.js';
import { type Columns, columnsOf, firstFrom, rateAt, SeriesBuilder } from './columns.js';

export type BlendedPeriods = Readonly<Record<'days' | 'weeks' | 'months', Columns>>;

/** Blended days with the means of their weeks and months. */
export function blendedPeriods(days: Columns): BlendedPeriods {
  const [first, last] = [days.days[0], days.days.at(-1)];
  if (first === undefined || last === undefined) return { days, weeks: days, months: days };
  const range = { from: first, to: last };
  return { days, weeks: meansOf(days, 'week', range), months: meansOf(days, 'month', range) };
}

/**
 * The arithmetic mean of each column over each period, dated with its first day. If a period lies entirely
 * within a peg, it is the peg times the mean of its anchor, because the two may have rates on different days.
 */
export function meansOf(
  columns: Columns,
  grouping: Grouping,
  range: { from: number; to: number },
  currencies?: Iterable<string>,
): Columns {
  const means = meansWithoutPegs(columns, grouping, range, currencies && withAnchors(currencies));
  const { lastDayOf } = periodsOf(grouping, range);
  for (const peg of pegs) {
    const [own, anchor] = [means.byQuote.get(peg.quote), means.byQuote.get(peg.base)];
    if (!own || !anchor) continue;
    const isInForce = inForce(peg);
    means.days.forEach((day, index) => {
      const rate = peg.rate * rateAt(anchor, index);
      const isHeld = !Number.isNaN(rateAt(own, index)) && isInForce(day, lastDayOf(day));
      if (isHeld && !Number.isNaN(rate)) own.rates[own.first + index * own.step] = rate;
    });
  }
  return means;
}

/** The means for the blend of some providers, to which pegs do not apply. */
export function meansWithoutPegs(
  { days, byQuote }: Columns,
  grouping: Grouping,
  range: { from: number; to: number },
  currencies: Iterable<string> = byQuote.keys(),
): Columns {
  const periods = periodsOf(grouping, range);
  const start = firstFrom(days, periods.firstDayOf(range.from));
  const end = firstFrom(days, periods.lastDayOf(range.to) + 1);
  const firsts = firstDaysOf(days.subarray(start, end), periods);
  const summed = [...currencies].flatMap((currency) => {
    const column = byQuote.get(currency);
    return column ? [{ currency, column, means: new SeriesBuilder(), sum: 0, count: 0 }] : [];
  });
  // By day, because the rates of a day are adjacent in memory.
  for (let index = 0; index < firsts.length; index++) {
    for (const each of summed) {
      const rate = rateAt(each.column, start + index);
      if (Number.isNaN(rate)) continue;
      each.sum += rate;
      each.count++;
    }
    const first = firsts[index] ?? Number.NaN;
    if (firsts[index + 1] === first) continue;
    for (const each of summed) {
      if (each.count > 0) each.means.append(first, each.sum / each.count);
      each.sum = 0;
      each.count = 0;
    }
  }
  return columnsOf(new Map(summed.map(({ currency, means }) => [currency, means.finish()])));
}

function firstDaysOf(days: Int32Array, periods: Periods): Int32Array {
  let first = 0;
  let last = Number.NEGATIVE_INFINITY;
  return days.map((day) => {
    if (day > last) {
      first = periods.firstDayOf(day);
      last = periods.lastDayOf(day);
    }
    return first;
  });
}
